import { eventTypes } from '../../deliveries/eventCatalog';
import type { SandboxState } from '../../state/sandboxState';
import { scenarios } from '../../state/scenarios';
import { paymentTransitions } from '../../state/transitions';
import type { ClockChange, Faults } from '../../types';
import type { Operations } from './types';

/** The values that the page offers. */
const vocabulary = { events: eventTypes, scenarios, paymentTransitions };

/** What the page shows of the sandbox as a whole. */
const overview = (state: SandboxState) => ({
	instance: state.instance,
	clock: state.clock.read(),
	counts: state.counts,
});

/**
 * Faults, clock, counts, and the reset.
 *
 * @param pauseListening stops listening for a number of milliseconds
 */
export function controlOperations(
	state: SandboxState,
	pauseListening: (ms: number) => void,
): Operations {
	/** Does what happens at once, and applies new times to what is already waiting. */
	const apply = ({ revokeTokens, refuseConnections }: Faults) => {
		if (revokeTokens === true) state.tokens.revoke();
		state.dispatcher.restart();
		state.transactions.restart();
		if (refuseConnections) pauseListening(refuseConnections.ms);
		return state.faults.current;
	};
	return {
		getVocabulary: async () => vocabulary,
		getState: async () => overview(state),
		getCounts: async () => state.counts,
		getFaults: async () => state.faults.current,
		setFaults: async (request) => {
			state.faults.replace(request.body as Faults);
			return apply(request.body as Faults);
		},
		changeFaults: async (request) => {
			state.faults.change(request.body as Faults);
			return apply(request.body as Faults);
		},
		getClock: async () => state.clock.read(),
		setClock: async (request) => {
			await state.clock.set(request.body as ClockChange);
			return state.clock.read();
		},
		reset: async (request, reply) => {
			state.reset((request.query as { everything: boolean }).everything);
			return await reply.code(204).send();
		},
	};
}
