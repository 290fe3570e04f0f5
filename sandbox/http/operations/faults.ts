import type { SandboxState } from '../../state/sandboxState';
import type { Faults } from '../../types';
import type { Operations } from './types';

/** What goes wrong, and what was counted. `pause` stops the listening for so many ms. */
export function faultOperations(world: SandboxState, pause: (ms: number) => void): Operations {
	const inForce = () => world.faults.current;
	/** What happens at once, and what follows from a change for those who wait already. */
	const act = ({ revokeTokens, expireTokens, refuseConnections }: Faults) => {
		if (revokeTokens === true) world.tokens.revoke();
		if (expireTokens) world.tokens.expire();
		world.courier.restart();
		world.transactions.restart();
		for (const area of ['faults', 'tokens', 'deliveries'] as const) world.changes.touch(area);
		if (refuseConnections) pause(refuseConnections.ms);
	};
	return {
		getFaults: async () => inForce(),
		setFaults: async (request) => {
			world.faults.replace(request.body as Faults);
			act(request.body as Faults);
			return inForce();
		},
		changeFaults: async (request) => {
			world.faults.change(request.body as Faults);
			act(request.body as Faults);
			return inForce();
		},
		getCounts: async () => world.allCounts(),
		reset: async (request, reply) => {
			world.reset((request.query as { everything: boolean }).everything);
			return await reply.code(204).send();
		},
	};
}
