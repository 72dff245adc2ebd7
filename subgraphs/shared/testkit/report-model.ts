import { SEVERITIES } from '../../../schema/severity.ts'
/** An event as the model counts it. */
export interface ModelEvent {
  /** Epoch milliseconds. */
  readonly at: number
  readonly device: string
  readonly line: string | null
  readonly process: string | null
  readonly type: string
  /** 0 for INFO or DEBUG to 3 for CRITICAL or ERROR. */
  readonly severity: number
}

/** Length of a bucket. */
export type ModelInterval = 'HOUR' | 'DAY' | 'WEEK' | 'MONTH'

/** A row as anomalyReport and logReport answer it. */
export interface ModelRow {
  readonly bucketStart: string
  readonly line: { readonly id: string } | null
  readonly process: { readonly id: string } | null
  readonly device: { readonly id: string } | null
  readonly type?: string | null
  readonly severity?: string | null
  readonly level?: string | null
  readonly total: number
}

const QUARTER_MS = 900_000
const DAY_MS = 24 * 60 * 60_000
const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const

const clocks = new Map<string, Intl.DateTimeFormat>()
const readings = new Map<string, string>()

/** What the clock on the wall shows: `2026-10-25 02 +02:00`. */
function readClock(zone: string, at: number): string {
  const name = `${zone} ${at}`
  const known = readings.get(name)
  if (known !== undefined) return known
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' },
      timeZoneName: 'longOffset',
    })
  clocks.set(zone, clock)
  const reading = clock.format(at).replace('kl. ', '')
  readings.set(name, reading)
  return reading
}

/** Which piece of the calendar a quarter of an hour is in. */
function pieceOf(interval: ModelInterval, zone: string, at: number): string {
  const reading = readClock(zone, at)
  const date = reading.slice(0, 10)
  if (interval === 'HOUR') return reading
  if (interval === 'DAY') return date
  if (interval === 'MONTH') return date.slice(0, 7)
  const day = Date.parse(date)
  return new Date(day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS).toISOString()
}

/** Reckons a report from its events, quarter by quarter and by the clock of Intl: slow and plain. */
export function reckonReport(
  events: readonly ModelEvent[],
  kind: 'anomaly' | 'log',
  {
    from,
    to,
    interval,
    zone,
    groupBy,
  }: { from: number; to: number; interval: ModelInterval; zone: string; groupBy: string[] },
): { total: number; rows: ModelRow[] } {
  const first = Math.floor(from / QUARTER_MS) * QUARTER_MS
  const end = Math.ceil(to / QUARTER_MS) * QUARTER_MS
  const starts = new Map<string, number>()
  const inRange = new Set<string>()
  for (let at = first - 32 * DAY_MS; at < end; at += QUARTER_MS) {
    const piece = pieceOf(interval, zone, at)
    if (!starts.has(piece)) starts.set(piece, at)
    if (at >= first) inRange.add(piece)
  }
  const told = (group: string, value: string | null) => (groupBy.includes(group) ? value : null)
  const names = kind === 'anomaly' ? SEVERITIES : LEVELS
  const severityGroup = kind === 'anomaly' ? 'SEVERITY' : 'LEVEL'
  const counted = events.filter(e => e.at >= first && e.at < end)
  const groups = new Map<string, ModelEvent[]>(
    groupBy.length === 0 ? [[JSON.stringify([null, null, null, null, null]), []]] : [],
  )
  for (const e of counted) {
    const key = JSON.stringify([
      told('LINE', e.line),
      told('PROCESS', e.process),
      told('DEVICE', e.device),
      told('TYPE', e.type),
      groupBy.includes(severityGroup) ? e.severity : null,
    ])
    groups.set(key, [...(groups.get(key) ?? []), e])
  }
  const sorted = [...groups]
    .map(([key, events]) => ({ key: JSON.parse(key) as [...(string | null)[], number | null], events }))
    .sort((a, b) => {
      for (const [i, value] of a.key.entries()) {
        const other = b.key[i] ?? null
        if (value !== other) return (value ?? '') < (other ?? '') ? -1 : 1
      }
      return 0
    })
  const refer = (id: unknown) => (id === null ? null : { id: String(id) })
  const rows = [...inRange].flatMap(piece =>
    sorted.map(
      ({ key: [line, process, device, type, severity], events }): ModelRow => ({
        bucketStart: new Date(starts.get(piece) ?? 0).toISOString(),
        line: refer(line),
        process: refer(process),
        device: refer(device),
        ...(kind === 'anomaly'
          ? {
              type: type === null ? null : String(type),
              severity: severity === null ? null : (names[Number(severity)] ?? null),
            }
          : { level: severity === null ? null : (names[Number(severity)] ?? null) }),
        total: events.filter(
          e => pieceOf(interval, zone, Math.floor(e.at / QUARTER_MS) * QUARTER_MS) === piece,
        ).length,
      }),
    ),
  )
  return { total: counted.length, rows }
}
