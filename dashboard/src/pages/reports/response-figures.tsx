import { formatNumber } from '../../i18n/format.ts'
import { formatSeconds } from './availability-figures.tsx'
import type { Figure } from './figures-view.tsx'
import { messages } from './messages.ts'
import type { ResponseReportQuery } from './reports.generated.ts'

type Row = ResponseReportQuery['responseReport']['rows'][number]

const spread = ({ p50Seconds, p95Seconds }: Row['acknowledge']) =>
  p50Seconds === null ? messages.none : `${formatSeconds(p50Seconds)} / ${formatSeconds(p95Seconds)}`

/** Figures of the report on response times, in the language of the page. */
export function responseFigures(): readonly Figure<Row>[] {
  return [
    {
      key: 'raised',
      label: messages.raised,
      value: row => row.raised,
      render: row => formatNumber(row.raised),
    },
    {
      key: 'acknowledged',
      label: messages.acknowledged,
      value: row => row.acknowledge.count,
      render: row => formatNumber(row.acknowledge.count),
    },
    {
      key: 'toAcknowledge',
      label: messages.toAcknowledge,
      value: row => row.acknowledge.p50Seconds,
      render: row => spread(row.acknowledge),
    },
    {
      key: 'resolved',
      label: messages.resolved,
      value: row => row.resolve.count,
      render: row => formatNumber(row.resolve.count),
    },
    {
      key: 'toResolve',
      label: messages.toResolve,
      value: row => row.resolve.p50Seconds,
      render: row => spread(row.resolve),
    },
    {
      key: 'meanToResolve',
      label: messages.meanToResolve,
      value: row => row.resolve.meanSeconds,
      render: row => formatSeconds(row.resolve.meanSeconds),
    },
  ]
}
