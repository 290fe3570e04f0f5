const PARTS = ['top', 'bottom', 'left', 'right', 'mid', 'middle'];
const JOINTS = [
	'top-mid',
	'top-left',
	'top-right',
	'bottom-mid',
	'bottom-left',
	'bottom-right',
	'left-mid',
	'mid-mid',
	'right-mid',
];

/** For `chars` of cli-table3: a table without lines. */
export const PLAIN = Object.fromEntries([...PARTS, ...JOINTS].map((part) => [part, '']));
