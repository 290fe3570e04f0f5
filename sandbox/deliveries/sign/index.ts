import { newSecret } from '../../state/ids';
import type { SignatureScheme } from '../../types';
import { hmacSha256 } from './hmacSha256';
import { messageSignature } from './messageSignature';
import { standardWebhooks } from './standardWebhooks';
import type { Sign } from './types';

/**
 * The signature schemes by name. They share no code with the trigger's verifiers, so that each
 * tests the other.
 */
export const schemes: Record<SignatureScheme, Sign> = {
	messageSignature,
	standardWebhooks,
	hmacSha256,
};

/** Creates a secret in the usual form of a scheme. */
export const newSecretFor = (scheme: SignatureScheme) =>
	scheme === 'standardWebhooks' ? `whsec_${newSecret('base64')}` : newSecret();
