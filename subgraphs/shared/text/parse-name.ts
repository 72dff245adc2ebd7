import type { Parsed } from './parsed.ts'

/** Emoji may hold joiners and selectors that are not allowed by themselves. */
const EMOJI = /\p{RGI_Emoji}/gv
/** Control, format (also bidi and zero-width) and private characters, half surrogates, line breaks, fillers. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
const SPACES = /\p{Zs}+/gu
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u
/** No script stacks so many. */
const PILE_OF_MARKS = /\p{M}{6}/u
const WORD = /[\p{L}\p{M}]+/gu
/** Scripts whose letters pass for one another's; no word of a language mixes them. */
const LOOK_ALIKES = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/**
 * Reads a name that people are shown: in Unicode's composed form (NFC), trimmed, each run of spaces as one space, `min`
 * to `max` code points (default 1 to 128).
 *
 * Refuses what cannot be seen or changes how its surroundings are seen (control, bidi and zero-width characters, line
 * breaks, names of combining marks alone), and words that mix Latin, Cyrillic or Greek letters, which pass for others.
 */
export function parseName(text: string, { min = 1, max = 128 } = {}): Parsed {
  const length = { problem: `has ${min} to ${max} characters.` }
  // Composing makes a text a third as long at most.
  if (text.length > 8 * max + 64) return length
  const value = text.normalize('NFC').replace(SPACES, ' ').trim()
  const count = [...value].length
  if (UNSEEN.test(value.replace(EMOJI, '')))
    return { problem: 'holds characters that cannot be seen, such as control characters.' }
  if (count < min || count > max) return length
  if (count > 0 && (!SEEN.test(value) || /^\p{M}/u.test(value) || PILE_OF_MARKS.test(value)))
    return { problem: 'holds marks that belong to no letter.' }
  for (const [word] of value.matchAll(WORD))
    if (LOOK_ALIKES.filter(script => script.test(word)).length > 1)
      return { problem: 'mixes letters of several alphabets in one word.' }
  return { value }
}
