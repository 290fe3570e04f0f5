/**
 * Variables that n8n needs from the caller's environment. A user's own settings of n8n must not
 * have an effect here.
 */
const KEPT = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'SSL_CERT_FILE'];

/**
 * Returns the environment of an n8n that listens on 127.0.0.1 only, sends no telemetry, shows no
 * offers, and logs warnings.
 *
 * @param userFolder folder of its database, key, and community nodes
 * @param port of the editor, the API, and webhooks
 * @param brokerPort of its task runners; each n8n on a machine needs its own
 */
export function quietEnvironment(
	userFolder: string,
	port: number,
	brokerPort: number,
): NodeJS.ProcessEnv {
	return {
		...Object.fromEntries(KEPT.map((name) => [name, process.env[name]])),
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		QUEUE_HEALTH_CHECK_ACTIVE: 'true', // of a worker
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_LOG_LEVEL: 'warn',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false', // else it fetches n8n's list of vetted packages
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true', // newer ones load no other community package
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,chat-hub', // they fetch lists, or fill the editor with offers
	};
}
