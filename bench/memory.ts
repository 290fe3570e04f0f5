import { readFileSync } from 'node:fs';
import { Rig } from './rig';
import type { NodeSubject } from './subjects';

export interface PeakMemory {
	subject: NodeSubject;
	items: number;
	/**
	 * Most memory that n8n's process ever held, before and after the run (VmHWM of Linux), in MiB.
	 */
	beforeMiB: number;
	peakMiB: number;
}

/** Most memory that a process ever held, in MiB, by Linux' own books. */
function peakOf(pid: number): number {
	const [, kilobytes] =
		/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Math.round(Number(kilobytes) / 1024);
}

/** What a run of one subject costs an n8n that was started for it alone. Only on Linux. */
export async function measureMemory(
	tarball: string,
	subject: NodeSubject,
	items: number,
): Promise<PeakMemory> {
	const rig = await Rig.start(tarball);
	const { pid } = rig.n8n.process.child;
	await rig.prepare({});
	const beforeMiB = peakOf(pid!);
	await rig.run(subject, items);
	const peakMiB = peakOf(pid!);
	await rig.check(subject, items);
	await rig.stop();
	return { subject, items, beforeMiB, peakMiB };
}
