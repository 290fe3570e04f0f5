import type { Endpoint } from '../../types';

/** What is signed. */
export interface ToSign {
	/** The exact text that is sent, as UTF-8. */
	body: string;
	eventId: string;
	/** When the event happened, ms since the epoch. */
	createdAt: number;
	/** When this attempt is made, ms since the epoch. */
	attemptAt: number;
	secret: string;
	/** The secret before the last change, where there was one. */
	previousSecret?: string;
	endpoint: Pick<Endpoint, 'headerName' | 'encoding' | 'prefix'>;
}

/** Returns the headers that sign a delivery. */
export type Sign = (toSign: ToSign) => Record<string, string>;
