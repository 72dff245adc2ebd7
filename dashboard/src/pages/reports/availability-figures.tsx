import { formatDuration, formatNumber, formatPercent } from '../../i18n/format.ts'
import type { Figure } from './figures-view.tsx'
import { messages } from './messages.ts'
import styles from './report-panel.module.css'
import type { AvailabilityReportQuery } from './reports.generated.ts'

type Row = AvailabilityReportQuery['availabilityReport']['rows'][number]

/** Seconds as a person reads them; none where there were no outages. */
export function formatSeconds(seconds: number | null): string {
  return seconds === null ? messages.none : formatDuration(seconds * 1000)
}

/** Figures of the report on availability, in the language of the page. */
export function availabilityFigures(): readonly Figure<Row>[] {
  return [
    {
      key: 'online',
      label: messages.onlineShare,
      value: row => row.onlineRatio,
      render: ({ onlineRatio }) =>
        onlineRatio === null ? (
          messages.none
        ) : (
          <>
            <span class={styles.bar} aria-hidden="true">
              <span style={{ width: `${onlineRatio * 100}%` }} />
            </span>
            {formatPercent(onlineRatio, 2)}
          </>
        ),
    },
    {
      key: 'downtime',
      label: messages.downtime,
      value: row => row.downtimeSeconds,
      render: row => formatSeconds(row.downtimeSeconds),
    },
    {
      key: 'outages',
      label: messages.outages,
      value: row => row.outages,
      render: row => formatNumber(row.outages),
    },
    {
      key: 'mtbf',
      label: messages.mtbf,
      value: row => row.mtbfSeconds,
      render: row => formatSeconds(row.mtbfSeconds),
    },
    {
      key: 'mttr',
      label: messages.mttr,
      value: row => row.mttrSeconds,
      render: row => formatSeconds(row.mttrSeconds),
    },
  ]
}
