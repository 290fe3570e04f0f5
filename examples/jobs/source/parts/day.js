/** The number of a day such as 2026-11-24. NaN for any other form: 11/12/2026 can be two days. */
const day = (date) => (/^\d{4}-\d\d-\d\d$/.test(date) ? Math.floor(Date.parse(date) / 86_400_000) : NaN);
