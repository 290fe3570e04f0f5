// For tests that start programs; a test that needs more sets its own timeout.
jest.setTimeout(300_000);
