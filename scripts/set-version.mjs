// Sets the version of a release everywhere it stands: node scripts/set-version.mjs 1.1.0
// In the package.json and package-lock.json of each package that has it, and wherever a text names
// the package with it, such as README's tarball and the User-Agent of requests.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version)) {
	console.error(`"${version}" isn't a version. Name one, such as 1.1.0.`);
	process.exit(1);
}
const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));

const escaped = current.replaceAll('.', '\\.');
/** A name and the version, such as `n8n-nodes-payments-1.0.0` and `n8n-payments:1.0.0`. */
const NAMED = new RegExp(`(\\bn8n-[a-z-]*payments[a-z-]*[-/:@])${escaped}(?![\\d-])`, 'g');
/** What stands below a name of ours at the beginning of a package.json or package-lock.json. */
const OWN = new RegExp(`("name": "n8n-[a-z-]*payments[a-z-]*",\\s*"version": ")${escaped}"`, 'g');

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
for (const file of files) {
	const text = readFileSync(file, 'utf8');
	const changed = text.replace(NAMED, `$1${version}`).replace(OWN, `$1${version}"`);
	if (changed === text) continue;
	writeFileSync(file, changed);
	console.log(file);
}
