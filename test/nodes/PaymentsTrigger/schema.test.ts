import { recommendedEventTypes } from '../../../nodes/PaymentsTrigger/events/eventTypes';
import schema from '../../../nodes/PaymentsTrigger/__schema__/v1.1.0/output.json';
import { eventCatalog } from '../../support/eventCatalog';

/*
 * What the editor and AI builders know of the trigger's items before the first event: the fields of
 * the recommended event types in the contract's event catalog.
 */

/** Lists the paths of a value's members with their types. */
function pathsOf(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) {
		return [`${path}: ${typeof value === 'number' ? 'integer' : typeof value}`];
	}
	return Object.entries(value).flatMap(([name, member]) => pathsOf(member, `${path}.${name}`));
}

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

function pathsOfSchema({ type, properties }: Schema, path = ''): string[] {
	if (!properties) return [`${path}: ${type}`];
	return Object.entries(properties).flatMap(([name, one]) => pathsOfSchema(one, `${path}.${name}`));
}

test('the schema has the fields of the recommended event types, and no others', () => {
	const fields = recommendedEventTypes.flatMap((type) => pathsOf(eventCatalog[type].example));
	expect(fields.length).toBeGreaterThan(20);
	expect(pathsOfSchema(schema as Schema).sort()).toEqual([...new Set(fields)].sort());
});
