/** The token in the fragment of a link from a mail, `#token=…`; undefined when there is none. */
export function tokenOfLink(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get('token') || undefined
}
