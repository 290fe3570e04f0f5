import { Agent } from 'node:http';
import axios from 'axios';

// A new connection for each request: n8n closes one that was idle for 5 s, and what is sent at that
// moment fails.
axios.defaults.httpAgent = new Agent({ keepAlive: false });
