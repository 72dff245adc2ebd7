import { useMemo } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { formatDateTime, formatNumber, formatPercent } from '../../i18n/format.ts'
import { uiMessages } from '../../ui/messages.ts'
import { Panel } from '../../ui/panel.tsx'
import { Plot } from '../../ui/plot.tsx'
import { Table } from '../../ui/table.tsx'
import { type GroupedRow, groupName, groupTitle, groupValue } from './group-name.ts'
import { messages } from './messages.ts'
import { pivotRows } from './pivot-rows.ts'
import styles from './report-panel.module.css'
import type { ReportRequest } from './report-request.ts'

/** A row of the report on anomalies or on logs. */
export type EventRow = GroupedRow & { readonly bucketStart: string; readonly total: number }

/** Series that stand alone in the plot. */
const MOST_SERIES = 6

const MOST_ROWS = 500

const COLORS: Readonly<Record<string, string>> = {
  INFO: 'severity-info',
  MINOR: 'severity-minor',
  MAJOR: 'severity-major',
  CRITICAL: 'severity-critical',
  WARN: 'severity-minor',
  ERROR: 'severity-critical',
  DEBUG: 'status-unknown',
}

/** How many events there were, over time and by group. */
export function EventReportView({
  rows,
  total,
  request,
}: {
  rows: readonly EventRow[]
  total: number
  request: ReportRequest
}) {
  const { kind, groups, timezone } = request
  const { id: spaceId } = useSpace()
  const byName = useMemo(() => new Map(rows.map(row => [groupName(row, groups), row])), [rows, groups])
  const pivot = useMemo(
    () =>
      pivotRows(
        rows.map(row => ({ ...row, group: groupName(row, groups) })),
        MOST_SERIES,
      ),
    [rows, groups],
  )
  const totals = useMemo(
    () =>
      pivotRows(
        rows.map(row => ({ ...row, group: groupName(row, groups) })),
        Number.POSITIVE_INFINITY,
      ).series,
    [rows, groups],
  )
  const series = useMemo(
    () =>
      pivot.series.map(({ group, values }) => {
        const row = group === undefined ? undefined : byName.get(group)
        const isOne = groups.length === 1 && (groups[0] === 'SEVERITY' || groups[0] === 'LEVEL')
        const color = isOne ? COLORS[row?.severity ?? row?.level ?? ''] : undefined
        return {
          label: group ?? messages.others(pivot.otherGroups),
          values,
          ...(color !== undefined && { color }),
        }
      }),
    [pivot, byName, groups],
  )
  const happened = useMemo(() => rows.filter(row => row.total > 0), [rows])
  const title = kind === 'anomalies' ? messages.anomalies : messages.logs
  return (
    <>
      <Panel title={messages.perInterval} actions={<span class={styles.big}>{formatNumber(total)}</span>}>
        <Plot
          label={title}
          times={pivot.times}
          series={series}
          kind="stacked-bars"
          timeZone={timezone}
          height={260}
          onZoom={(from, to) =>
            request.setRange({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })
          }
        />
      </Panel>
      <Panel title={messages.byGroup} count={totals.length} isFlush>
        <Table
          caption={messages.byGroup}
          rows={totals.slice(0, MOST_ROWS)}
          rowKey={({ group }) => group ?? ''}
          columns={[
            ...(groups.length === 0
              ? [{ key: 'all', label: messages.total, isRowHeader: true, render: () => messages.all }]
              : groups.map((group, at) => ({
                  key: group,
                  label: groupTitle(group),
                  isRowHeader: at === 0,
                  render: ({ group: name }: (typeof totals)[number]) => {
                    const row = byName.get(name ?? '')
                    if (row === undefined) return messages.none
                    return group === 'DEVICE' && row.device !== null ? (
                      <a href={`/spaces/${spaceId}/devices/${row.device.id}`}>{groupValue(row, group)}</a>
                    ) : (
                      groupValue(row, group)
                    )
                  },
                }))),
            {
              key: 'total',
              label: messages.total,
              align: 'end' as const,
              render: (one: (typeof totals)[number]) => formatNumber(one.total),
            },
            {
              key: 'share',
              label: messages.share,
              align: 'end' as const,
              render: (one: (typeof totals)[number]) => (total === 0 ? '' : formatPercent(one.total / total)),
            },
          ]}
        />
      </Panel>
      <Panel title={messages.byTime} count={happened.length} isFlush>
        <Table
          caption={messages.byTime}
          rows={happened.slice(0, MOST_ROWS)}
          rowKey={row => `${row.bucketStart} ${groupName(row, groups)}`}
          columns={[
            {
              key: 'time',
              label: uiMessages.time,
              isRowHeader: true,
              render: row => formatDateTime(row.bucketStart, timezone),
            },
            ...groups.map(group => ({
              key: group,
              label: groupTitle(group),
              render: (row: EventRow) => groupValue(row, group),
            })),
            {
              key: 'total',
              label: messages.total,
              align: 'end' as const,
              render: row => formatNumber(row.total),
            },
          ]}
        />
        {happened.length > MOST_ROWS && (
          <p class={styles.note}>{messages.rowsShown(MOST_ROWS, happened.length)}</p>
        )}
      </Panel>
    </>
  )
}
