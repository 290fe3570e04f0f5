import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isAdditionalField } from '../Transaction';
import { fieldParameters } from './fields';

/*
 * All are text or points in time, because n8n would round a large amount if it were a number.
 * Lists of choices would be stored with every workflow: 250 countries for each party.
 */
const MAPPER_FIELDS = fieldParameters.map(
	({ field, displayName, required, type }): ResourceMapperField => ({
		id: field,
		displayName,
		required: required === true,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: isAdditionalField(field),
		type: type === 'dateTime' ? 'dateTime' : 'string',
	}),
);

type ResourceMapping = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/** The fields that *Map Columns* shows. n8n calls this function by its name. */
export const resourceMapping: Record<string, ResourceMapping> = {
	async getTransactionFields() {
		return { fields: MAPPER_FIELDS };
	},
};
