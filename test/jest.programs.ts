import { Agent } from 'node:http';
import axios from 'axios';

// For tests that start programs; a test that needs more sets its own timeout.
jest.setTimeout(300_000);

// A new connection for each request: n8n closes one that was idle for 5 s, and what is sent at that
// moment fails.
axios.defaults.httpAgent = new Agent({ keepAlive: false });
