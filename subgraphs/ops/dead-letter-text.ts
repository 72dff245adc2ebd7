import { readItem, type StoredLetter } from './dead-letter-stream.ts'

/** Tells of a letter what a list shows. */
export function describeLetter({ id, reason, text }: StoredLetter) {
  const item = readItem(text)
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    id,
    at: new Date(Number(id.split('-')[0])).toISOString(),
    reason,
    kind: textOf(item?.kind),
    spaceId: textOf(item?.spaceId),
    deviceId: textOf(item?.deviceId),
  }
}

/** Makes text fit for a terminal. What devices wrote must not command it: control characters are shown, not sent. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}|[\u2028\u2029]/gu, character => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
