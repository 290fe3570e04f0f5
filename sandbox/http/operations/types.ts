import type { RouteHandlerMethod, RouteOptions } from 'fastify';

/** Handlers by operation id of `openapi.yaml`, alone or with other options of their route. */
export type Operations = Record<string, RouteHandlerMethod | Partial<RouteOptions>>;

/** Path parameters of an operation on one record. */
export interface ById {
	Params: { id: string };
}
