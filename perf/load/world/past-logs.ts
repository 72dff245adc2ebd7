import { createHash } from 'node:crypto'

/** A log as a device sends it. */
export interface PastLog {
  readonly id: string
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'
  readonly message: string
  readonly attributes: { readonly cycle: number; readonly temperatureC: number }
}

/** Where logs of the past are put: evenly over a range of time, from device to device. */
export interface PastLogs {
  /** Part of all ids: the same seed makes the same ones. */
  readonly seed: string
  readonly fromMs: number
  readonly toMs: number
  readonly total: number
  readonly devices: number
}

const MESSAGES = [
  'Cycle finished within tolerance',
  'Tool change requested by the program',
  'Coolant pressure back to nominal',
  'Part ejected to the rework lane after inspection',
]

/**
 * Makes the nth log of the past. Its id depends on seed and n alone, so that writing it again writes nothing: exactly once
 * holds for the ids that devices make.
 */
export function makePastLog({ seed, fromMs, toMs, total }: PastLogs, nth: number): PastLog {
  const timeMs = Math.floor(fromMs + ((toMs - fromMs) * nth) / total)
  const level = nth % 100 === 0 ? 'ERROR' : nth % 20 === 0 ? 'WARN' : nth % 4 === 0 ? 'DEBUG' : 'INFO'
  const message = `${MESSAGES[nth % MESSAGES.length]} (${nth})`
  return {
    id: makeId(timeMs, `${seed} ${nth}`),
    level,
    message,
    attributes: { cycle: nth, temperatureC: 40 + (nth % 30) },
  }
}

/** Groups the logs of a device, one after the other, into bodies of at most so many bytes and items. */
export function* makeBodies(
  logs: PastLogs,
  device: number,
  limits: { maxBytes: number; maxItems: number },
): Generator<{ body: string; items: number }> {
  let items: string[] = []
  let bytes = 2
  for (let nth = device; nth < logs.total; nth += logs.devices) {
    const item = JSON.stringify(makePastLog(logs, nth))
    const size = Buffer.byteLength(item) + 1
    if (items.length > 0 && (bytes + size > limits.maxBytes || items.length === limits.maxItems)) {
      yield { body: `[${items.join(',')}]`, items: items.length }
      items = []
      bytes = 2
    }
    items.push(item)
    bytes += size
  }
  if (items.length > 0) yield { body: `[${items.join(',')}]`, items: items.length }
}

/** A UUIDv7 (RFC 9562) of this millisecond whose random bits are a digest of the name. */
function makeId(timeMs: number, name: string): string {
  const time = timeMs.toString(16).padStart(12, '0')
  const digest = createHash('md5').update(name).digest('hex')
  const variant = ((Number.parseInt(digest[3] ?? '0', 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}
