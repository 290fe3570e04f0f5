import type { Step } from '../Check';
import { burst, longestWait, twentyAtOnce } from './load';
import { expiredToken, later } from './later';
import { invalid, unknownField, wrongCurrency, wrongToken } from './rejections';
import { token } from './token';
import { lostResponse, one, otherAmount, sameAgain, twoAtOnce } from './transactions';

/** In this order. */
export const steps: Step[] = [
	token,
	one,
	sameAgain,
	twoAtOnce,
	otherAmount,
	lostResponse,
	invalid,
	unknownField,
	wrongCurrency,
	wrongToken,
	twentyAtOnce,
	burst,
	later,
	expiredToken,
	longestWait,
];
