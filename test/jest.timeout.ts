// Tests against whole programs take seconds where others take milliseconds; those that need more than this say so.
jest.setTimeout(300_000);
