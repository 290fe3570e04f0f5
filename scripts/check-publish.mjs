// Refuses to publish while package.json has a placeholder, or from anywhere but its own repository.
// publish.yml runs it before it builds the tarball. npm runs it before `npm publish`, but not with
// `ignore-scripts`, which .npmrc has: then, `publishConfig` asks for a provenance, which no clone
// can give.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { author, repository, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { GITHUB_REPOSITORY, GITHUB_REF_NAME } = process.env;

/** Lists the files that link to another repository of this name. */
function linksToOthers() {
	const [home] = repository.url.match(/github\.com\/[^/]+\/[^/.]+/);
	const name = home.split('/').at(-1);
	const found = execFileSync('git', ['grep', '-ohE', `github\\.com/[^/]+/${name}`], {
		encoding: 'utf8',
	});
	const others = new Set(
		found
			.trim()
			.split('\n')
			.filter((link) => link !== home),
	);
	return [...others].map((link) => `a file links to ${link}, and the repository is ${home}`);
}

const problems = [
	author.email.endsWith('.example') && `author.email is a placeholder: ${author.email}`,
	!repository.url.endsWith(`github.com/${GITHUB_REPOSITORY}.git`) &&
		`repository.url is ${repository.url}, and this runs in ${GITHUB_REPOSITORY ?? 'no workflow of GitHub'}`,
	...linksToOthers(),
	GITHUB_REF_NAME !== `v${version}` &&
		`the tag is ${GITHUB_REF_NAME ?? 'missing'}, and the version is ${version}`,
].filter(Boolean);
for (const problem of problems) console.error(`Not published: ${problem}.`);
process.exitCode = problems.length === 0 ? 0 : 1;
