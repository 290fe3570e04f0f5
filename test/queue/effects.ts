import type { Postgres } from './cluster/postgres';

/** Separate from n8n's own database, as users have it. */
export const DATABASE = 'effects';

/** Creates the database that the workflows write to. */
export const createEffects = async (postgres: Postgres) =>
	await postgres.query('postgres', `CREATE DATABASE ${DATABASE}`);

/**
 * Records every insertion that an execution attempts: PostgreSQL calls a trigger before INSERT also
 * for a row that ON CONFLICT then drops. Requires the table that the example workflow creates.
 */
export const watchEffects = async (postgres: Postgres) =>
	await postgres.query(
		DATABASE,
		`CREATE TABLE insertions (id text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
		CREATE FUNCTION note_insertion() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN INSERT INTO insertions (id) VALUES (NEW.id); RETURN NEW; END $$;
		CREATE TRIGGER insertion BEFORE INSERT ON payment_events FOR EACH ROW EXECUTE FUNCTION note_insertion()`,
	);

/** Effects of the events whose IDs start with a prefix. */
interface Effects {
	/** Rows, and the different IDs in them. */
	rows: number;
	ids: number;
	/** Attempted insertions, and the different IDs in them. */
	runs: number;
	idsRun: number;
}

export async function effectsOf(postgres: Postgres, prefix: string): Promise<Effects> {
	const [effects] = await postgres.query<Record<keyof Effects, string>>(
		DATABASE,
		`SELECT *
			FROM (SELECT count(*) AS rows, count(DISTINCT id) AS ids FROM payment_events WHERE id LIKE '${prefix}%'),
				(SELECT count(*) AS runs, count(DISTINCT id) AS "idsRun" FROM insertions WHERE id LIKE '${prefix}%')`,
	);
	const { rows, ids, runs, idsRun } = effects;
	return { rows: Number(rows), ids: Number(ids), runs: Number(runs), idsRun: Number(idsRun) };
}
