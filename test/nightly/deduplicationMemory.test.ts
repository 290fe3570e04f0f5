import { spawnSync } from 'node:child_process';
import { TYPESCRIPT } from '../../host/processes';

test('20 triggers with 10,000 deliveries each take less than 30 MB, and nothing afterwards', () => {
	const program = `
		// Stands still until all events are acknowledged, however long that takes.
		let now = Date.now();
		Date.now = () => now;
		const { deduplicatorOf, identifyDelivery } = require('./nodes/PaymentsTrigger/deduplicate');
		const heap = () => { gc(); gc(); return process.memoryUsage().heapUsed / 1e6; };
		const before = heap();
		for (let trigger = 0; trigger < 20; trigger++)
			for (let i = 0; i < 10_000; i++) {
				const deduplicator = deduplicatorOf('t' + trigger, 1000.5);
				const key = identifyDelivery(Buffer.from('event-' + i + 'x'.repeat(100)));
				deduplicator.begin(key);
				deduplicator.end(key, true);
			}
		const full = heap() - before;
		now += 1002;
		setTimeout(() => console.log(JSON.stringify({ full, after: heap() - before })), 2000);
	`;
	const args = ['--expose-gc', '--import', TYPESCRIPT, '--eval', program];
	const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	if (stdout === '') throw new Error(stderr);
	const { full, after } = JSON.parse(stdout) as { full: number; after: number };
	// What stays is compiled code and caches of the process, more on some runs than on others.
	expect(full - after).toBeLessThan(30);
	expect(after).toBeLessThan(0.8);
}, 60_000);
