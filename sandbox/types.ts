import type { Page } from './types.generated';

/** The schemas of `openapi.yaml` as types. */
export type * from './types.generated';

/** The newest records of a list, the newest first. */
export type PageOf<T> = Page & { items: T[] };
