/**
 * True with CI_PROFILE=nightly: tests use their full numbers, and what is slow and rarely fails is
 * tested, too.
 */
export const isNightly = process.env.CI_PROFILE === 'nightly';

/** A test that runs only then. Its reason stands at its line. */
export const nightlyTest = isNightly ? test : test.skip;
