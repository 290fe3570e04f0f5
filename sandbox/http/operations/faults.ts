import type { SandboxState } from '../../state/sandboxState';
import type { ClockChange, Faults } from '../../types';
import type { Operations } from './types';

/**
 * Faults, counts, and the reset.
 *
 * @param pauseListening stops listening for a number of milliseconds
 */
export function faultOperations(
	state: SandboxState,
	pauseListening: (ms: number) => void,
): Operations {
	const activeFaults = () => state.faults.current;
	/** Does what happens at once, and applies new times to what is already waiting. */
	const apply = ({ revokeTokens, expireTokens, refuseConnections }: Faults) => {
		if (revokeTokens === true) state.tokens.revoke();
		if (expireTokens) state.tokens.expire();
		state.dispatcher.restart();
		state.transactions.restart();
		for (const area of ['faults', 'tokens', 'deliveries'] as const) state.changes.touch(area);
		if (refuseConnections) pauseListening(refuseConnections.ms);
	};
	return {
		getFaults: async () => activeFaults(),
		setFaults: async (request) => {
			state.faults.replace(request.body as Faults);
			apply(request.body as Faults);
			return activeFaults();
		},
		changeFaults: async (request) => {
			state.faults.change(request.body as Faults);
			apply(request.body as Faults);
			return activeFaults();
		},
		getClock: async () => state.clock.read(),
		setClock: async (request) => {
			await state.clock.set(request.body as ClockChange);
			for (const area of ['tokens', 'clock'] as const) state.changes.touch(area);
			return state.clock.read();
		},
		getCounts: async () => state.allCounts(),
		reset: async (request, reply) => {
			state.reset((request.query as { everything: boolean }).everything);
			return await reply.code(204).send();
		},
	};
}
