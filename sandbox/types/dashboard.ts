export type Scope = 'PAYMENTS' | 'payments.*' | 'OXYGEN';

export interface Client {
	clientId: string;
	name: string;
	scopes: Scope[];
	createdAt: number;
}

export interface NewClient {
	name?: string;
	/** What the client may ask for; all scopes unless said otherwise. */
	scopes?: Scope[];
	clientId?: string;
	clientSecret?: string;
}

export type ClientWithSecret = Client & { clientSecret: string };

export interface IssuedToken {
	clientId: string;
	scope: string;
	kind: 'PAYMENTS' | 'OXYGEN';
	issuedAt: number;
	expiresAt: number;
}

export type SignatureScheme =
	| 'messageSignature'
	| 'standardWebhooks'
	| 'hmacSha256'
	| 'headerValue';

export interface NewEndpoint {
	url: string;
	/** Event kinds, or `*` for all. */
	events: string[];
	label?: string;
	/** Default messageSignature. */
	scheme?: SignatureScheme;
	/** Of hmacSha256 (default x-signature) and headerValue (default x-webhook-secret). */
	headerName?: string;
	/** Of hmacSha256, default hex. */
	encoding?: 'hex' | 'base64';
	/** Of hmacSha256, for example `sha256=`. */
	prefix?: string;
	secret?: string;
}

export interface Endpoint extends Omit<NewEndpoint, 'secret'> {
	id: string;
	label: string;
	scheme: SignatureScheme;
	createdAt: number;
}

export interface EndpointSecret {
	secret: string;
	previousSecret?: string;
}

export type EndpointWithSecret = Endpoint & EndpointSecret;

/** Body of a delivery: public practice, Webhook delivery. */
export interface WebhookEvent {
	id: string;
	event: string;
	data: Record<string, unknown>;
	previousValues: Record<string, unknown>;
	createdAt: number;
}

export interface NewEvent extends Partial<Omit<WebhookEvent, 'event'>> {
	event: string;
}

export interface EventSent {
	id: string;
	/** Ids of the deliveries that were made for it. */
	deliveries: string[];
}

export type DeliveryStatus = 'WAITING' | 'SENDING' | 'RETRYING' | 'DELIVERED' | 'FAILED';

export interface Attempt {
	at: number;
	latencyMs: number;
	/** HTTP status of the answer; null when none came. */
	status: number | null;
	error?: string;
	requestHeaders: Record<string, string>;
	/** The first 1,000 characters. */
	responseBody?: string;
}

export interface Delivery {
	id: string;
	endpointId: string;
	eventId: string;
	event: string;
	status: DeliveryStatus;
	url: string;
	/** The exact text that is sent. */
	body: string;
	attempts: Attempt[];
	/** When the event happened. */
	eventCreatedAt: number;
	/** While it is RETRYING. */
	nextAttemptAt?: number;
	copyOf?: string;
	createdAt: number;
}

export interface DeliverySummary extends Omit<Delivery, 'attempts' | 'body' | 'url'> {
	/** How many were made. */
	attempts: number;
	lastStatus?: number | null;
	lastLatencyMs?: number;
}
