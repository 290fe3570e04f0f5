import type { RouteHandlerMethod, RouteOptions } from 'fastify';

/** Handlers by the operation ids of `openapi.yaml`; a handler with more than itself brings its route options along. */
export type Operations = Record<string, RouteHandlerMethod | Partial<RouteOptions>>;

/** Path and query of an operation on one record. */
export interface ById {
	Params: { id: string };
}
