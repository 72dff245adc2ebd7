import type { BoardDevice } from './board-device.ts'
import type { BoardFilters } from './board-filters.ts'

/** A line or a process: what devices are grouped by. */
export interface BoardPlace {
  readonly id: string
  readonly name: string
}

/** Lines and processes of a space, in the order of the floor. */
export interface BoardTopology {
  readonly lines: readonly BoardPlace[]
  readonly processes: readonly (BoardPlace & { readonly lineId: string | null })[]
}

/** A row of the floor: the head of a line, the name of a process, or as many tiles as fit. */
export type BoardRow =
  | {
      readonly kind: 'line'
      readonly key: string
      readonly line: BoardPlace | null
      readonly deviceIds: readonly string[]
      readonly isCollapsed: boolean
    }
  | { readonly kind: 'process'; readonly key: string; readonly process: BoardPlace | null }
  | { readonly kind: 'tiles'; readonly key: string; readonly deviceIds: readonly string[] }

/** Lays the devices that match out in rows: by line, then by process, those without either last. */
export function layOut(
  devices: Iterable<BoardDevice>,
  { lines, processes }: BoardTopology,
  filters: BoardFilters,
  { columns, collapsed }: { columns: number; collapsed: ReadonlySet<string> },
): readonly BoardRow[] {
  const shown = [...devices].filter(device => matches(device, filters)).sort(orderBy(filters.order))
  const byLine = Map.groupBy(shown, ({ lineId }) => lineId)
  const rows: BoardRow[] = []
  for (const line of [...lines, null]) {
    const ofLine = byLine.get(line?.id ?? null) ?? []
    if (ofLine.length === 0) continue
    const key = line?.id ?? 'none'
    const isCollapsed = collapsed.has(key)
    rows.push({ kind: 'line', key, line, deviceIds: ofLine.map(({ id }) => id), isCollapsed })
    if (isCollapsed) continue
    const byProcess = Map.groupBy(ofLine, ({ processId }) => processId)
    for (const process of [...processes, null]) {
      const ids = (byProcess.get(process?.id ?? null) ?? []).map(({ id }) => id)
      if (ids.length === 0) continue
      const place = `${key}/${process?.id ?? 'none'}`
      if (byProcess.size > 1 || process !== null) rows.push({ kind: 'process', key: place, process })
      for (let at = 0; at < ids.length; at += columns)
        rows.push({ kind: 'tiles', key: `${place}/${at}`, deviceIds: ids.slice(at, at + columns) })
    }
  }
  return rows
}

/** Whether two layouts show the same. */
export function isSameLayout(a: readonly BoardRow[], b: readonly BoardRow[]): boolean {
  return a.length === b.length && a.every((row, index) => isSameRow(row, b[index]))
}

function isSameRow(a: BoardRow, b: BoardRow | undefined): boolean {
  if (a.key !== b?.key || a.kind !== b.kind) return false
  if (a.kind === 'process') return b.kind === 'process' && a.process?.name === b.process?.name
  if (b.kind === 'process') return false
  if (a.kind === 'line' && b.kind === 'line')
    if (a.isCollapsed !== b.isCollapsed || a.line?.name !== b.line?.name) return false
  return a.deviceIds.length === b.deviceIds.length && a.deviceIds.every((id, at) => id === b.deviceIds[at])
}

/** Whether a device is one of those that are looked for. */
export function matches(device: BoardDevice, filters: BoardFilters): boolean {
  const { text, lineId, processId, status, presence, isWithAnomalies } = filters
  if (lineId !== '' && device.lineId !== lineId) return false
  if (processId !== '' && device.processId !== processId) return false
  if (status !== '' && device.status !== status) return false
  if (presence !== '' && device.isOnline !== (presence === 'online')) return false
  if (isWithAnomalies && device.openAnomalies === 0) return false
  const wanted = text.trim().toLowerCase()
  return wanted === '' || `${device.code}\n${device.name}`.toLowerCase().includes(wanted)
}

const SEVERITY_RANKS = { INFO: 1, MINOR: 2, MAJOR: 3, CRITICAL: 4 } as const
const STATUS_RANKS = { ERROR: 3, STOPPED: 2, IDLE: 1, RUNNING: 0, UNKNOWN: 0 } as const

/** How much a device wants to be looked at: by its anomalies, then its status, then whether it is there. */
export function urgencyOf({ severity, openAnomalies, status, isOnline }: BoardDevice): number {
  const grave = severity === null ? 0 : SEVERITY_RANKS[severity]
  return grave * 100 + Math.min(openAnomalies, 9) * 10 + STATUS_RANKS[status] * 2 + (isOnline ? 0 : 1)
}

const byCode = new Intl.Collator(undefined, { numeric: true })

function orderBy(order: BoardFilters['order']): (a: BoardDevice, b: BoardDevice) => number {
  if (order === 'name') return (a, b) => byCode.compare(a.name, b.name)
  if (order === 'urgency') return (a, b) => urgencyOf(b) - urgencyOf(a) || byCode.compare(a.code, b.code)
  return (a, b) => byCode.compare(a.code, b.code)
}
