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

/**
 * Counts the effects of the events whose IDs start with a prefix: rows and the different IDs in
 * them, and attempted insertions (`runs`) and the different IDs in those.
 */
export async function effectsOf(postgres: Postgres, prefix: string) {
	const [effects] = await postgres.query<Record<'rows' | 'ids' | 'runs' | 'idsRun', number>>(
		DATABASE,
		`SELECT *
			FROM (SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids FROM payment_events WHERE id LIKE '${prefix}%'),
				(SELECT count(*)::int AS runs, count(DISTINCT id)::int AS "idsRun" FROM insertions WHERE id LIKE '${prefix}%')`,
	);
	return effects;
}
