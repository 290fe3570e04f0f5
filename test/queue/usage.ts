import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Unit of the times in /proc/PID/stat on Linux. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Returns the CPU time of a process and of its children that have ended (proc(5), fields 14 to 17).
 */
function ownTicks(pid: number): number {
	// The name in brackets may contain spaces; the fields after it do not.
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
	return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** Returns the seconds of CPU time that a process and its children, running or ended, have used. */
export function cpuSeconds(pid: number): number {
	const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
		.split(' ')
		.filter(Boolean)
		.map(Number);
	const ofChild = (child: number) => {
		try {
			return ownTicks(child);
		} catch {
			return 0; // It has ended since it was listed, and its parent counts it.
		}
	};
	return (
		(ownTicks(pid) + children.reduce((sum, child) => sum + ofChild(child), 0)) / TICKS_PER_SECOND
	);
}

/** Returns the megabytes of memory that a process uses (VmRSS). */
export function memoryMegabytes(pid: number): number {
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
