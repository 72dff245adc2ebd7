import type { Parsed } from '../shared/text/parsed.ts'

const MAX_BYTES = 4 * 1024

/** Control characters but line break and tab, half surrogates, and what turns the direction of the text around it. */
const REFUSED = /[\p{Cs}\u202a-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/u

const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Reads what a person has said: composed (NFC), line breaks as `\n`, without spaces around it, 1 byte to 4 KiB of UTF-8.
 *
 * Refuses control characters, half surrogates, overrides of the direction of text, and what nobody can see.
 */
export function parseCommentBody(text: string): Parsed {
  const length = { problem: 'has 1 byte to 4 KiB of text.' }
  // Composing and trimming make a text shorter, but no sane one by so much.
  if (text.length > 4 * MAX_BYTES) return length
  const value = text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim()
  if (REFUSED.test(value))
    return { problem: 'holds control characters, or such as turn the direction of text.' }
  if (!SEEN.test(value) || Buffer.byteLength(value) > MAX_BYTES) return length
  return { value }
}
