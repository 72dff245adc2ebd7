/** Begins of cells that spreadsheets run as formulas (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/

/** Rows as CSV (RFC 4180: CRLF, quotes doubled), with a byte order mark. Texts that would run as formulas get an apostrophe. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return `\ufeff${rows.map(row => `${row.map(toCell).join(',')}\r\n`).join('')}`
}

function toCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
