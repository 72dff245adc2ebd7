/** What to do about a report that takes the database too long. */
export const REPORT_ADVICE = 'take less time between from and to, or fewer groups.'
