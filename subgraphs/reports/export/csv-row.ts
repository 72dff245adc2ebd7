/** What a cell may hold; null is an empty one. */
export type CsvCell = string | number | boolean | null

/** Ends each row, the last too (RFC 4180 §2.1). */
export const ROW_END = '\r\n'

/**
 * What spreadsheets take for a formula, full-width forms among them, also behind blanks and controls, which some drop
 * before they look (OWASP, CSV Injection).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
const FORMULA_START = /^(?:[\s\u0000-\u001f\u200b]*[=+\-@＝＋－＠]|[\t\r\n])/

/** What has to stand in quotes. Semicolons and tabs part cells where the reader's country says so. */
const NEEDS_QUOTES = /[",;\t\r\n]/

/**
 * Serializes a row as RFC 4180 has it: cells apart by commas, in quotes where needed, CRLF at the end. A text that a
 * spreadsheet would run as a formula gets an apostrophe before it; numbers and booleans stay what they are.
 */
export function serializeCsvRow(cells: readonly CsvCell[]): string {
  return cells.map(serializeCsvCell).join(',') + ROW_END
}

/** Serializes a cell of such a row. */
export function serializeCsvCell(cell: CsvCell): string {
  if (typeof cell === 'string') return serializeText(cell)
  return cell === null ? '' : String(cell)
}

function serializeText(text: string): string {
  const harmless = FORMULA_START.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
