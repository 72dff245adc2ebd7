/** What to do about a report that takes the database too long. */
export const REPORT_ADVICE = 'take less time between from and to, or fewer groups.'

/**
 * How long the database may add up counts for one statement: a year of 50 devices by types takes 8 s. The gateway waits
 * longer for a request.
 */
export const MAX_SUM_SECONDS = 12
