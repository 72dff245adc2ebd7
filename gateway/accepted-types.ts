/** Which of the two kinds of answer a client takes. */
export interface AcceptedTypes {
  /** Whether it takes a stream of events, which it must name: `*` means JSON. */
  readonly takesEvents: boolean
  /** Whether it wants a stream rather than JSON, also where one answer is all there is. */
  readonly prefersEvents: boolean
}

const ONLY_JSON: AcceptedTypes = { takesEvents: false, prefersEvents: false }

const JSON_RANGES = new Set(['application/json', 'application/graphql-response+json', 'application/*', '*/*'])

/** Reads an Accept header (RFC 9110 §12.5.1). Without one a client takes JSON. */
export function readAcceptedTypes(accept = '*/*'): AcceptedTypes {
  if (!/text\/event-stream/i.test(accept)) return ONLY_JSON
  let events = 0
  let json = 0
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const weight = Number(parameters.find(parameter => parameter.startsWith('q='))?.slice(2) ?? 1)
    if (type === 'text/event-stream') events = Math.max(events, weight)
    if (JSON_RANGES.has(type)) json = Math.max(json, weight)
  }
  return { takesEvents: events > 0, prefersEvents: events > json }
}
