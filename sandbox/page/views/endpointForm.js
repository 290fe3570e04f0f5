import { api } from '../parts/api.js';
import { h } from '../parts/dom.js';
import { say } from '../parts/feedback.js';
import { checkbox, field, fields, form, input, select } from '../parts/form.js';

export const schemes = {
	messageSignature: 'Message signature',
	standardWebhooks: 'Standard Webhooks',
	hmacSha256: 'HMAC-SHA256 of the body',
	headerValue: 'Fixed header value',
};

/** What was filled in, as the sandbox wants it: only what the chosen scheme has. */
function wanted({ url, label, scheme, headerName, encoding, prefix, more = '' }, filled) {
	const typed = more.split(/[\s,]+/).filter(Boolean);
	const events = filled.get('all') ? ['*'] : [...new Set([...filled.getAll('events'), ...typed])];
	if (events.length === 0) throw new Error('Choose at least one kind of event, or all events.');
	const hmac = scheme === 'hmacSha256';
	return {
		url: url.trim(),
		label: label ?? '',
		events,
		scheme,
		...((hmac || scheme === 'headerValue') && headerName && { headerName }),
		...(hmac && { encoding, ...(prefix && { prefix }) }),
	};
}

/** `recommended`: kinds that are chosen already. */
export function endpointForm(recommended) {
	const scheme = select('scheme', Object.entries(schemes), { onchange: () => adapt() });
	const headerName = field(
		'Header',
		input('headerName', { placeholder: 'x-signature', pattern: '[A-Za-z0-9-]+' }),
	);
	const encoding = field('Encoding', select('encoding', ['hex', 'base64']));
	const prefix = field('Prefix', input('prefix', { placeholder: 'e.g. sha256=' }));
	function adapt() {
		const hmac = scheme.value === 'hmacSha256';
		encoding.hidden = prefix.hidden = !hmac;
		headerName.hidden = !hmac && scheme.value !== 'headerValue';
		headerName.querySelector('input').placeholder = hmac ? 'x-signature' : 'x-webhook-secret';
	}
	adapt();
	return form(
		{ class: 'card' },
		async (values, filled, element) => {
			await api.post('/endpoints', wanted(values, filled));
			element.reset();
			adapt();
			say('The endpoint is added. Reveal its secret on its card and put it into the credential.');
		},
		h('h2', {}, 'Add an endpoint'),
		h(
			'div',
			{ class: 'columns' },
			h(
				'div',
				{},
				field(
					'URL',
					input('url', {
						type: 'url',
						required: true,
						pattern: 'https?://.+',
						placeholder: 'http://127.0.0.1:5678/webhook/…',
					}),
					'The production or test URL of the Payments Trigger node.',
				),
				field('Label', input('label', { placeholder: 'e.g. n8n, test', maxlength: '100' })),
				field('Signed by', scheme),
				headerName,
				encoding,
				prefix,
			),
			h(
				'div',
				{},
				fields(
					'Events',
					recommended.map((event) => checkbox('events', event, { value: event, checked: true })),
					checkbox('all', 'All events'),
				),
				field(
					'More kinds',
					input('more', { placeholder: 'e.g. PAYEE.CREATED, RETURN.CREATED' }),
					'Any kinds, with a comma between them.',
				),
			),
		),
		h('div', { class: 'actions' }, h('button', { class: 'primary' }, 'Add endpoint')),
	);
}
