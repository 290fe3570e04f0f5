/** What a page says as long as nothing is sent. */
const isStopped = $('Settings').all().find(({ json }) => json.setting === 'stopped')?.json.value !== 'no';
const STOPPED = isStopped
	? ['Sending is stopped (the setting stopped). Nothing is sent until it is no again.'] : [];
const SENT = isStopped ? 'sent once sending is no longer stopped' : 'sent within a minute';
