/** `2026-03-29 01:00:`, of `2026-03-29 01:00:07.250`. */
const MINUTE_LENGTH = 17

/**
 * Creates the reading of a DATETIME of UTC as the driver answers it in text; epoch milliseconds. Quick where the next one
 * is mostly of the same minute.
 */
export function createUtcReader(): (text: string) => number {
  let minute = ''
  let minuteMs = 0
  return text => {
    if (!text.startsWith(minute) || minute === '') {
      minute = text.slice(0, MINUTE_LENGTH)
      minuteMs = Date.parse(`${minute.replace(' ', 'T')}00Z`)
    }
    return minuteMs + Math.round(Number(text.slice(MINUTE_LENGTH)) * 1_000)
  }
}
