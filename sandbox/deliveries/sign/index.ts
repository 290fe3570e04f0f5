import { newSecret } from '../../state/ids';
import type { SignatureScheme } from '../../types';
import { headerValue } from './headerValue';
import { hmacSha256 } from './hmacSha256';
import { messageSignature } from './messageSignature';
import { standardWebhooks } from './standardWebhooks';
import type { Sign } from './types';

/** Each scheme by its name. Written apart from the verifiers of the trigger, so that the two can prove each other wrong. */
export const schemes: Record<SignatureScheme, Sign> = {
	messageSignature,
	standardWebhooks,
	hmacSha256,
	headerValue,
};

/** A secret in the form that is usual for the scheme. */
export const newSecretFor = (scheme: SignatureScheme) =>
	scheme === 'standardWebhooks' ? `whsec_${newSecret('base64')}` : newSecret();
