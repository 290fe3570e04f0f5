import { basename } from 'node:path';
import { packPackage } from '../host/pack';

const SHIPS = /^(dist\/.+|README\.md|LICENSE|package\.json)$/;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

/** Packs the package and prints its files. Exits with 1 when it has the wrong files. */
async function main() {
	const { file, files, size, unpackedSize } = await packPackage();
	for (const one of files) console.log(`${kilobytes(one.size).padStart(9)}  ${one.path}`);
	console.log(
		`${basename(file)}: ${files.length} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`,
	);
	const problems = [
		...files
			.filter(({ path }) => !SHIPS.test(path))
			.map(({ path }) => `${path} does not belong in the package.`),
		...['README.md', 'LICENSE']
			.filter((path) => !files.some((one) => one.path === path))
			.map((path) => `${path} is missing.`),
	];
	for (const problem of problems) console.error(problem);
	process.exitCode = problems.length === 0 ? 0 : 1;
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
