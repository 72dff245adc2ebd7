/** Control characters, line separators, and what turns the direction of the text after it. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu

/**
 * Makes a line of what a user has typed: no line breaks, control or direction characters, no unpaired surrogates, at
 * most `maxLength` characters (code points) with an ellipsis for what is cut.
 */
export function toOneLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}
