import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { Payments } from '../../../nodes/Payments/Payments.node';

/**
 * Tests a credential "Payments API" in the way of n8n's CredentialsTester (packages/cli,
 * services/credentials-tester.service): it calls the function that the node names in `testedBy`.
 */
export async function testCredential(
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const { description, methods } = new Payments();
	const { testedBy } = description.credentials!.find(({ name }) => name === 'paymentsApi')!;
	const test = methods.credentialTest[testedBy as keyof typeof methods.credentialTest];
	const decrypted = { id: 'c1', name: 'Payments', type: 'paymentsApi', data };
	return await test.call(new CredentialTestContext(), decrypted);
}
