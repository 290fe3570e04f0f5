/**
 * The words of `openapi.yaml` as types, for the sandbox and for those who talk to it. The file is the contract, these only
 * follow it: names are the wire's own, amounts are decimal strings, times are integers in ms since the epoch.
 */

export * from './bank';
export * from './dashboard';
export * from './lists';
