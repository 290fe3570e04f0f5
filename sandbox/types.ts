import type { Page } from './types.generated';

/** The schemas of `openapi.yaml` as types. */
export type * from './types.generated';

/** One page of a list, the newest first. */
export type PageOf<T> = Page & { items: T[] };

export interface PageQuery {
	/** At most this many items. */
	limit?: number;
	/** `next` of another page. */
	before?: number;
}
