/** What a cell may hold; null is an empty one. */
export type CsvCell = string | number | boolean | null

/** Ends each row, the last too (RFC 4180 §2.1). */
const ROW_END = '\r\n'

/**
 * First characters that make spreadsheets take a text for a formula, full-width forms among them, or that they drop
 * before they look (OWASP, CSV Injection).
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/

/** What has to stand in quotes. Semicolons and tabs part cells where the reader's country says so. */
const NEEDS_QUOTES = /[",;\t\r\n]/

/**
 * Serializes a row as RFC 4180 has it: cells apart by commas, in quotes where needed, CRLF at the end. A text that a
 * spreadsheet would run as a formula gets an apostrophe before it; numbers and booleans stay what they are.
 */
export function serializeCsvRow(cells: readonly CsvCell[]): string {
  let row = ''
  for (const [index, cell] of cells.entries()) {
    if (index > 0) row += ','
    if (typeof cell === 'string') row += serializeText(cell)
    else if (cell !== null) row += String(cell)
  }
  return row + ROW_END
}

function serializeText(text: string): string {
  const harmless = FORMULA_START.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
