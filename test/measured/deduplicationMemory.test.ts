import { spawnSync } from 'node:child_process';
import { TYPESCRIPT } from '../../host/processes';

test('20 triggers with 10,000 events each take less than 16 MB, and nothing afterwards', () => {
	const program = `
		// Stands still until all events are acknowledged, however long that takes.
		let now = Date.now();
		Date.now = () => now;
		const { deduplicate } = require('./nodes/PaymentsTrigger/deduplicate');
		const heap = () => { gc(); gc(); return process.memoryUsage().heapUsed / 1e6; };
		const before = heap();
		const acknowledge = (trigger, ids) =>
			deduplicate(trigger, ids.map((id) => ({ eventType: 'E', id })), 1000.5).end(true);
		for (let trigger = 0; trigger < 20; trigger++)
			for (let first = 0; first < 10_000; first += 100)
				acknowledge('t' + trigger, Array.from({ length: 100 }, (_, i) => 'event-' + (first + i) + 'x'.repeat(100)));
		const full = heap() - before;
		now += 1002;
		setTimeout(() => console.log(JSON.stringify({ full, after: heap() - before })), 2000);
	`;
	const args = ['--expose-gc', '--import', TYPESCRIPT, '--eval', program];
	const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	if (stdout === '') throw new Error(stderr);
	const { full, after } = JSON.parse(stdout) as { full: number; after: number };
	// What stays is compiled code and caches of the process, more on some runs than on others.
	expect(full - after).toBeLessThan(16);
	expect(after).toBeLessThan(0.8);
}, 60_000);
