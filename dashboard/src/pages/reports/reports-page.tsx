import { useMemo, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { saveFile } from '../../files/save-file.ts'
import { toCsv } from '../../files/to-csv.ts'
import type {
  AnomalyReportGroup,
  AvailabilityReportGroup,
  LogReportGroup,
  ResponseReportGroup,
} from '../../graphql/schema-types.generated.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { formatTime } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { resolveTimeRange, serializeTimeRange } from '../../ui/time-range.ts'
import { availabilityFigures } from './availability-figures.tsx'
import { CsvDialog } from './csv-dialog.tsx'
import { EventReportView } from './event-report-view.tsx'
import { type Figure, FiguresView } from './figures-view.tsx'
import { type GroupedRow, groupTitle, groupValue } from './group-name.ts'
import { messages } from './messages.ts'
import { ReportControls } from './report-controls.tsx'
import styles from './report-panel.module.css'
import { REPORT_KINDS, type ReportGroup, type ReportRequest, useReportRequest } from './report-request.ts'
import { ReportView } from './report-view.tsx'
import {
  AnomalyReportDocument,
  AvailabilityReportDocument,
  LogReportDocument,
  ResponseReportDocument,
} from './reports.generated.ts'
import { responseFigures } from './response-figures.tsx'

/** The four reports of a space, as plots and tables. */
export function ReportsPage() {
  const { timezone } = useSpace()
  const request = useReportRequest(timezone)
  const [askedAt, setAskedAt] = useState(() => Date.now())
  const rangeText = serializeTimeRange(request.range)
  const { from, to } = useMemo(
    () => resolveTimeRange(request.range, askedAt),
    // The range is new with every reading of the address.
    [rangeText, askedAt],
  )
  const titles = {
    anomalies: messages.anomalies,
    logs: messages.logs,
    availability: messages.availability,
    response: messages.response,
  }
  return (
    <div class={styles.view}>
      <PageHeader
        title={messages.title}
        actions={
          <Button icon="refresh" onClick={() => setAskedAt(Date.now())}>
            {`${messages.asOf} ${formatTime(askedAt, request.timezone)}`}
          </Button>
        }
      />
      <Tabs
        label={messages.report}
        tabs={REPORT_KINDS.map(id => ({ id, label: titles[id] }))}
        selected={request.kind}
        onSelect={id => request.setKind(id)}
      >
        <div class={styles.view}>
          <ReportControls request={request} />
          <Report key={request.kind} request={request} from={from} to={to} />
        </div>
      </Tabs>
    </div>
  )
}

type Asked = { request: ReportRequest; from: Date; to: Date }

function Report({ request, from, to }: Asked) {
  switch (request.kind) {
    case 'anomalies':
      return <AnomalyReport request={request} from={from} to={to} />
    case 'logs':
      return <LogReport request={request} from={from} to={to} />
    case 'availability':
      return <AvailabilityReport request={request} from={from} to={to} />
    case 'response':
      return <ResponseReport request={request} from={from} to={to} />
  }
}

function useRange({ from, to }: Asked) {
  return { spaceId: useSpace().id, from: from.toISOString(), to: to.toISOString() }
}

function AnomalyReport(asked: Asked) {
  const { interval, timezone, groups } = asked.request
  const groupBy = groups as AnomalyReportGroup[]
  const query = useQuery(AnomalyReportDocument, { ...useRange(asked), interval, timezone, groupBy })
  return (
    <ReportView query={query} isEmpty={({ anomalyReport }) => anomalyReport.total === 0}>
      {({ anomalyReport: { rows, total } }) => (
        <>
          <EventDownload asked={asked} kind="anomalies" />
          <EventReportView rows={rows} total={total} request={asked.request} />
        </>
      )}
    </ReportView>
  )
}

function LogReport(asked: Asked) {
  const { interval, timezone, groups } = asked.request
  const groupBy = groups as LogReportGroup[]
  const query = useQuery(LogReportDocument, { ...useRange(asked), interval, timezone, groupBy })
  return (
    <ReportView query={query} isEmpty={({ logReport }) => logReport.total === 0}>
      {({ logReport: { rows, total } }) => (
        <>
          <EventDownload asked={asked} kind="logs" />
          <EventReportView rows={rows} total={total} request={asked.request} />
        </>
      )}
    </ReportView>
  )
}

function AvailabilityReport(asked: Asked) {
  const { groups } = asked.request
  const query = useQuery(AvailabilityReportDocument, {
    ...useRange(asked),
    groupBy: groups as AvailabilityReportGroup[],
  })
  const figures = availabilityFigures()
  return (
    <ReportView query={query} isEmpty={({ availabilityReport }) => availabilityReport.rows.length === 0}>
      {({ availabilityReport: { rows } }) => (
        <>
          <FiguresDownload name={messages.availability} rows={rows} groups={groups} figures={figures} />
          <FiguresView title={messages.availability} rows={rows} groups={groups} figures={figures} />
        </>
      )}
    </ReportView>
  )
}

function ResponseReport(asked: Asked) {
  const { groups } = asked.request
  const query = useQuery(ResponseReportDocument, {
    ...useRange(asked),
    groupBy: groups as ResponseReportGroup[],
  })
  const figures = responseFigures()
  return (
    <ReportView
      query={query}
      isEmpty={({ responseReport: { rows } }) => rows.every(({ raised }) => raised === 0)}
    >
      {({ responseReport: { rows } }) => (
        <>
          <FiguresDownload name={messages.response} rows={rows} groups={groups} figures={figures} />
          <FiguresView title={messages.response} rows={rows} groups={groups} figures={figures} />
        </>
      )}
    </ReportView>
  )
}

function EventDownload({ asked, kind }: { asked: Asked; kind: 'anomalies' | 'logs' }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <Button icon="download" onClick={() => setOpen(true)}>
        {messages.download}
      </Button>
      {isOpen && (
        <CsvDialog
          request={{ ...asked.request, kind }}
          from={asked.from}
          to={asked.to}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** All of such a report is on the page, so it is written here. */
function FiguresDownload<Row extends GroupedRow>({
  name,
  rows,
  groups,
  figures,
}: {
  name: string
  rows: readonly Row[]
  groups: readonly ReportGroup[]
  figures: readonly Figure<Row>[]
}) {
  const download = () => {
    const head = [...groups.map(groupTitle), ...figures.map(({ label }) => label)]
    const lines = rows.map(row => [
      ...groups.map(group => groupValue(row, group)),
      ...figures.map(({ value }) => value(row)),
    ])
    saveFile(new Blob([toCsv([head, ...lines])], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)
  }
  return (
    <div>
      <Button icon="download" onClick={download}>
        {messages.download}
      </Button>
    </div>
  )
}
