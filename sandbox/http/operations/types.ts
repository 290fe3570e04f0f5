import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';

/** Handlers by operation id of `openapi.yaml`, alone or with other options of their route. */
export type Operations = Record<string, RouteHandlerMethod | Partial<RouteOptions>>;

/** The ID in the path of an operation on one record. */
export const idOf = ({ params }: FastifyRequest) => (params as { id: string }).id;
