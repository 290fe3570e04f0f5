import { startDistance, type Distance } from './distance';

/** A process of its own, so that its work isn't measured along with that of the client: reads what it needs from standard input, prints the port. */
process.stdin.once('data', (input: Buffer) => {
	startDistance(JSON.parse(input.toString()) as Distance).then(
		(port) => console.log(`distance: ${port}`),
		(error: Error) => {
			console.error(error.message);
			process.exitCode = 1;
		},
	);
});
