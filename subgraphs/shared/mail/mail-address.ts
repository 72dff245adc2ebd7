/** No white space, control characters, quoting, lists or comments: nothing that an address header could be opened with. */
const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]{1,64}@[^\s\p{C}@<>()[\]\\,;:"]{1,253}$/u

/** RFC 5321 §4.5.3.1.3, less the brackets. */
const MAX_LENGTH = 254

/** Whether a text is one plain address, `local@domain`, that is safe to stand in a header and an envelope. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text)
}

/** Who mail comes from. */
export interface MailSender {
  /** Shown beside the address; may be empty. */
  readonly name: string
  readonly address: string
}

/** Reads `name <local@domain>` or `local@domain`. Throws TypeError when it is neither. */
export function parseMailSender(text: string): MailSender {
  const [, name = '', bracketed] = /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>\s*$/u.exec(text) ?? []
  const address = bracketed ?? text.trim()
  if (!isMailAddress(address)) {
    throw new TypeError('A sender looks like nuvion@example.com or NUVION <nuvion@example.com>')
  }
  return { name, address }
}
