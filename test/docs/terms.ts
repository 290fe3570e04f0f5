/** A word that this project doesn't use, and the term that it uses instead. */
export interface Term {
	pattern: RegExp;
	use: string;
	/** Places where the word is right: names in n8n or in other products, or another meaning. */
	except?: RegExp;
}

/** The terms of n8n's documentation team, of payments, and of webhooks. */
export const TERMS: Term[] = [
	// n8n
	{ pattern: /\bflows?\b/i, use: 'workflow', except: /client credentials flow/i },
	{
		pattern: /\bsteps?\b/i,
		use: 'node',
		except: /Execute step|\bsteps? \d|Next steps|step by step/,
	},
	{
		pattern:
			/\b(?:an?|the|each|every|one|second|another|first|last|this|that|its|same|failed|whole|of|per|no|or|workflow|test|n8n's) runs?\b(?! (?:a|an|the|it|them|again|in|on|with|your|twice|as|this|more|their|only|until|after|while|when|once|expressions|and|for|longer)\b)/i,
		use: 'execution',
		except: /the workflow runs?/i,
	},
	{ pattern: /\bfir(?:es?|ed|ing)\b|\bkick(?:s|ed)? off\b/i, use: 'run or execute' },
	{
		pattern: /\b(?:de)?activat(?:e|es|ed|ing|ion)\b|\bturn(?:s|ed)? on (?:a|the|your) workflow/i,
		use: 'publish',
		except: /ACTIVATION|Activation/,
	},
	{ pattern: /\b(?:mock|sample) data\b/i, use: 'pinned data', except: /set mock data/ },
	{
		pattern: /\b(?:select|choose|create|add|make) an? (?:new )?(?:connection|account)\b/i,
		use: 'credential',
	},
	{ pattern: /\b(?:editor board|list of nodes)\b/i, use: 'canvas, nodes panel' },
	{ pattern: /\bthree dots\b/i, use: 'Workflow menu (⋯), Options menu (⋮)' },
	{ pattern: /\bn8n servers?\b|\bbox\b/i, use: 'instance' },
	{ pattern: /\bon-prem/i, use: 'self-hosted' },
	{ pattern: /\bplug-?ins?\b|\bcustom nodes?\b/i, use: 'community node' },
	{ pattern: /\bdatabase tables?\b/i, use: 'data table' },
	{ pattern: /(?<!AI )\bagent nodes?\b/i, use: 'AI Agent node' },
	// Payments and webhooks
	{ pattern: /same payment is the same event/i, use: 'idempotency key' },
	{ pattern: /\bskip(?:s|ped)? repeat|\btaken before\b/i, use: 'deduplicate, duplicate' },
	{ pattern: /\brepeat(?:s|ed|ing)? (?:an? |the |its |each )?deliver/i, use: 'retry a delivery' },
	{ pattern: /\bhears? (?:success|no|that)\b/i, use: 'acknowledge' },
	{ pattern: /\bkinds?\b/i, use: 'event type, type' },
	{
		pattern: /\bmaximum age\b|(?<!signing )\bsecret of the endpoint\b/i,
		use: 'timestamp tolerance, signing secret',
	},
	{
		pattern: /\bexchang(?:e|es|ed|ing)\b/i,
		use: 'access token request',
		except: /exchange rate/i,
	},
	{
		pattern:
			/\bse(?:nd|nt|nds|nding) (?:it |them |the \w+ |that \w+ )?(?:again|once more)\b|\bgrowing time\b/i,
		use: 'retry, exponential backoff',
	},
	{ pattern: /\bunclear\b/i, use: 'unknown outcome' },
	{
		pattern: /\brefus(?:e|es|ed|ing|al|als)\b|\bsaid no\b/i,
		use: 'rejected',
		except: /connections? (?:is |are )?refused|refuse[sd]? (?:the |a )?connections?/i,
	},
	{ pattern: /\bparallel\b|\bunder way\b|\bin flight\b/i, use: 'concurrent' },
	{ pattern: /fewer requests than/i, use: 'rate limit' },
	{
		pattern: /\bderiv(?:e|es|ed|ing)\b|\bwork(?:s|ed|ing)? out\b|\bgiven (?:event )?IDs?\b/i,
		use: 'generated Event ID',
	},
	{ pattern: /\bweakness(?:es)?\b/i, use: 'vulnerability' },
	{ pattern: /\bpictures?\b/i, use: 'screenshot, image' },
	{ pattern: /\bproofs?\b/i, use: 'check, test' },
];

/** What n8n asks not to say in a message (its UX guidelines). */
export const MESSAGE_TERMS: Term[] = [
	{
		pattern: /\b(?:errors?|problems?|failures?|mistakes?)\b/i,
		use: 'what happened',
		except: /On Error|Error Output|Stop or Use Error/i,
	},
];

/** The terms that a text uses against the tables, each with the words around it. */
export function findTerms(text: string, terms = TERMS): string[] {
	return terms.flatMap(({ pattern, use, except }) => {
		const everyMatch = new RegExp(pattern.source, `${pattern.flags}g`);
		const matches = [...text.matchAll(everyMatch)].map(({ 0: word, index }) => ({
			word,
			around: text.slice(Math.max(0, index - 30), index + word.length + 30).replace(/\s+/g, ' '),
		}));
		return matches
			.filter(({ around }) => !except?.test(around))
			.map(({ word, around }) => `"${word}" in "…${around}…": use ${use}`);
	});
}
