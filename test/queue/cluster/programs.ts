/**
 * Path of a program that does not come from npm. `npm run test:queue` and `npm run soak` look for them, or say which
 * command installs what is missing, and hand their paths on in variables (scripts/tasks.mjs).
 */
export function programPath(
	variable: 'REDIS_SERVER' | 'POSTGRES' | 'CADDY' | 'DOCKER_COMPOSE',
): string {
	const path = process.env[variable];
	if (path) return path;
	throw new Error(
		`The variable ${variable} does not say where that program is. Start this by "npm run test:queue" or "npm run test:e2e", which find it.`,
	);
}
