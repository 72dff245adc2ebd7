import { useMemo } from 'preact/hooks'
import { useUrlState } from '../../app/url-state.ts'
import type { ReportInterval } from '../../graphql/schema-types.generated.ts'
import { parseTimeRange, serializeTimeRange, type TimeRange } from '../../ui/time-range.ts'

/** The four reports. */
export type ReportKind = 'anomalies' | 'logs' | 'availability' | 'response'

/** What a report can tell apart. */
export type ReportGroup = 'LINE' | 'PROCESS' | 'DEVICE' | 'TYPE' | 'SEVERITY' | 'LEVEL'

export const REPORT_KINDS: readonly ReportKind[] = ['anomalies', 'logs', 'availability', 'response']

/** What each report can tell apart. */
export const GROUPS_OF = {
  anomalies: ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY'],
  logs: ['LINE', 'PROCESS', 'DEVICE', 'LEVEL'],
  availability: ['LINE', 'PROCESS', 'DEVICE'],
  response: ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY'],
} as const satisfies Record<ReportKind, readonly ReportGroup[]>

const ALL_GROUPS: readonly ReportGroup[] = ['LINE', 'PROCESS', 'DEVICE', 'TYPE', 'SEVERITY', 'LEVEL']
const INTERVALS: readonly ReportInterval[] = ['HOUR', 'DAY', 'WEEK', 'MONTH']
const DEFAULT_RANGE: TimeRange = { preset: '7d' }

/** What is asked for, as the address says. */
export function useReportRequest(siteZone: string) {
  const [kind, setKind] = useUrlState<ReportKind>(
    'report',
    text => REPORT_KINDS.find(one => one === text),
    'anomalies',
  )
  const [range, setRange] = useUrlState<TimeRange>('range', parseTimeRange, DEFAULT_RANGE, serializeTimeRange)
  const [interval, setInterval] = useUrlState<ReportInterval>(
    'interval',
    text => INTERVALS.find(one => one === text),
    'DAY',
  )
  const [timezone, setTimezone] = useUrlState('zone', toZone, siteZone)
  const [groupText, setGroupText] = useUrlState('by', text => text, defaultGroupOf(kind))
  const groups = useMemo(() => readGroups(groupText, kind), [groupText, kind])
  return {
    ...{ kind, range, interval, timezone, groups },
    ...{ setRange, setInterval, setTimezone },
    /** What one report tells apart another may not: each begins with its own. */
    setKind(next: ReportKind) {
      setGroupText(defaultGroupOf(next))
      setKind(next)
    },
    setGroups: (next: readonly ReportGroup[]) => setGroupText(next.length === 0 ? 'none' : next.join(',')),
  }
}

/** A request and what changes it. */
export type ReportRequest = ReturnType<typeof useReportRequest>

function defaultGroupOf(kind: ReportKind): string {
  return { anomalies: 'SEVERITY', logs: 'LEVEL', availability: 'DEVICE', response: 'SEVERITY' }[kind]
}

function readGroups(text: string, kind: ReportKind): readonly ReportGroup[] {
  const asked = text.split(',')
  const known: readonly ReportGroup[] = GROUPS_OF[kind]
  return ALL_GROUPS.filter(group => asked.includes(group) && known.includes(group))
}

function toZone(text: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return text
  } catch {
    return undefined
  }
}
