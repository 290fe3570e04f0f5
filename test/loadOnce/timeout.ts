import { isNightly } from '../support/nightly';

// Many times what the longest test needs. At night, properties run as often as their tests say.
jest.setTimeout(isNightly ? 600_000 : 60_000);
