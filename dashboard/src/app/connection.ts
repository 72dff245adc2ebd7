/** How the page hears of news: live; reconnecting, since when (ms) nothing was heard; or offline. */
export type ConnectionState = { kind: 'live' } | { kind: 'reconnecting' | 'offline'; since: number }
