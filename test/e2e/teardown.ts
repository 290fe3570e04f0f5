/** After all e2e tests, also when one failed. */
export default async function teardown(): Promise<void> {
	await globalThis.stopE2e?.();
}
