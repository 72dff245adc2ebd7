import type { Parsed } from '../shared/text/parsed.ts'

const MIN_LENGTH = 10
const MAX_LENGTH = 128

/**
 * Reads a new password: 10 to 128 characters in Unicode's compatible form (NFKC), so that it is the same on every
 * keyboard. Any characters will do, as long as it is not the person's own address (NIST SP 800-63B §3.1.1.2).
 */
export function parsePassword(text: string, email: string): Parsed {
  const length = { problem: `has ${MIN_LENGTH} to ${MAX_LENGTH} characters.` }
  if (text.length > 4 * MAX_LENGTH) return length
  const value = text.normalize('NFKC')
  const count = [...value].length
  if (count < MIN_LENGTH || count > MAX_LENGTH) return length
  if (!value.isWellFormed() || value.includes('\0')) return { problem: 'holds what is no character.' }
  if (value.trim().toLowerCase() === email.toLowerCase()) return { problem: 'must not be the address.' }
  return { value }
}
