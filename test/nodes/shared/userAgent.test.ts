import { version } from '../../../package.json';
import { USER_AGENT } from '../../../nodes/shared/userAgent';

test('requests name the version of the package', () =>
	expect(USER_AGENT).toEqual({ 'User-Agent': `n8n-nodes-payments/${version}` }));
