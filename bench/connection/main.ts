import { startDistance, type Distance } from './distance';

// A process of its own, so that its work isn't measured along with that of the client. Prints the
// port.
startDistance(JSON.parse(process.argv[2]) as Distance).then(
	(port) => console.log(`distance: ${port}\n`),
	(error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	},
);
