import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOBS, toJson } from '../examples/jobs/source';

/* Writes the workflows of examples/jobs that are written in examples/jobs/source. */
for (const job of JOBS)
	writeFileSync(join(__dirname, '..', 'examples', 'jobs', `${job.file}.json`), toJson(job));
