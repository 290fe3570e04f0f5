import type {
	ILoadOptionsFunctions,
	INodeProperties,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isAdditionalField, transactionFields } from './fields';
import { propertyOf } from './labels';
import { FIELDS, type Field } from '../Transaction';

/*
 * All are text, or points in time: n8n would round a large amount if it were a number. Lists of choices would be stored with
 * every workflow, 250 countries for each party.
 */
const toMapperField = (field: Field, property: INodeProperties): ResourceMapperField => ({
	id: field,
	displayName: property.displayName,
	required: property.required === true,
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
	removed: isAdditionalField(field),
	type: property.type === 'dateTime' ? 'dateTime' : 'string',
});

/** In the order of the parameters in the editor. */
const MAPPER_FIELDS = transactionFields
	.flatMap((property) =>
		property.type === 'collection' ? (property.options as INodeProperties[]) : property,
	)
	.flatMap(({ displayName }) =>
		FIELDS.filter((field) => propertyOf(field).displayName === displayName).map((field) =>
			toMapperField(field, propertyOf(field)),
		),
	);

type ResourceMapping = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/** What *Map Columns* shows; n8n calls this function by its name. */
export const resourceMapping: Record<string, ResourceMapping> = {
	async getTransactionFields() {
		return { fields: MAPPER_FIELDS };
	},
};
