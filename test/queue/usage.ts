import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The unit of the times in Linux' /proc/PID/stat. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor time of a process and of those of its children that have ended (proc(5), fields 14 to 17). */
function ownTicks(pid: number): number {
	// The name in brackets may hold blanks; what follows it does not.
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
	return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** Seconds of processor time that a process and its children, running or ended, have used. */
export function cpuSeconds(pid: number): number {
	const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
		.split(' ')
		.filter(Boolean)
		.map(Number);
	const ofChild = (child: number) => {
		try {
			return ownTicks(child);
		} catch {
			return 0; // It ended since it was listed; from now on its parent counts it.
		}
	};
	return (
		(ownTicks(pid) + children.reduce((sum, child) => sum + ofChild(child), 0)) / TICKS_PER_SECOND
	);
}

/** Megabytes of memory that a process holds at this moment (VmRSS). */
export function memoryMegabytes(pid: number): number {
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
