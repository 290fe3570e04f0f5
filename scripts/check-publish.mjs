// Refuses to publish while package.json or LICENSE has a placeholder, or from anywhere but its own
// repository. publish.yml runs it after the build. npm runs it before `npm publish`, but not with
// `ignore-scripts`, which .npmrc has: then, `publishConfig` asks for a provenance, which no clone
// can give.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Stands where a maintainer has to enter who owns the package. */
const NOBODY = 'n8n-nodes-payments maintainers';

const { author, repository, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { GITHUB_REPOSITORY, GITHUB_REF_NAME } = process.env;

/** Lists the links of what is packed to another repository of this name. */
function linksToOthers() {
	const [home, owner, name] = repository.url.match(/github\.com\/([^/]+)\/([^/.]+)/);
	const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const [{ files }] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' }));
	const link = new RegExp(`(?:github|raw\\.githubusercontent)\\.com/([^/\\s]+)/${name}\\b`, 'g');
	return files.flatMap(({ path }) => {
		const links = [...readFileSync(path, 'utf8').matchAll(link)];
		const others = new Set(links.filter(([, to]) => to !== owner).map(([found]) => found));
		return [...others].map((to) => `${path} links to ${to}, and the repository is ${home}`);
	});
}

const problems = [
	author.name === NOBODY && `author.name is a placeholder: ${author.name}`,
	author.email.endsWith('.example') && `author.email is a placeholder: ${author.email}`,
	readFileSync('LICENSE', 'utf8').includes(NOBODY) && `LICENSE names a placeholder: ${NOBODY}`,
	!repository.url.endsWith(`github.com/${GITHUB_REPOSITORY}.git`) &&
		`repository.url is ${repository.url}, and this runs in ${GITHUB_REPOSITORY ?? 'no workflow of GitHub'}`,
	...linksToOthers(),
	GITHUB_REF_NAME !== `v${version}` &&
		`the tag is ${GITHUB_REF_NAME ?? 'missing'}, and the version is ${version}`,
].filter(Boolean);
for (const problem of problems) console.error(`Not published: ${problem}.`);
process.exitCode = problems.length === 0 ? 0 : 1;
