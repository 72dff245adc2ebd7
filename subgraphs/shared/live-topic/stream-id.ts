/** The id before every entry of a stream. */
export const STREAM_START = '0-0'

/** Order of two Redis stream ids (`<ms>-<sequence>`): below 0, 0 or above 0, as `sort` takes it. */
export function compareStreamIds(a: string, b: string): number {
  const [aMs, aSequence] = splitStreamId(a)
  const [bMs, bSequence] = splitStreamId(b)
  return aMs - bMs || aSequence - bSequence
}

function splitStreamId(id: string): [ms: number, sequence: number] {
  const dash = id.indexOf('-')
  return [Number(id.slice(0, dash)), Number(id.slice(dash + 1))]
}
