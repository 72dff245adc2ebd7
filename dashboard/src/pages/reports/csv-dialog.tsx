import { useEffect, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { saveFile } from '../../files/save-file.ts'
import type { ExportReportInput } from '../../graphql/schema-types.generated.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { formatNumber } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Select } from '../../ui/select.tsx'
import { showToast } from '../../ui/toast.tsx'
import { type DownloadProgress, downloadCsv } from './download-csv.ts'
import { messages } from './messages.ts'
import type { ReportRequest } from './report-request.ts'
import { ExportReportDocument } from './reports.generated.ts'

/** Downloads what the report counts, as the site streams it, and says how far it is. */
export function CsvDialog({
  request,
  from,
  to,
  onClose,
}: {
  request: ReportRequest & { kind: 'anomalies' | 'logs' }
  from: Date
  to: Date
  onClose: () => void
}) {
  const { id: spaceId, name } = useSpace()
  const [what, setWhat] = useState<'report' | 'events'>('report')
  const [isForSpreadsheets, setForSpreadsheets] = useState(language.value === 'ko')
  const [progress, setProgress] = useState<DownloadProgress | 'failed' | 'busy' | undefined>(undefined)
  const running = useRef<AbortController | null>(null)
  const { run, isRunning, error, userErrors } = useMutation(ExportReportDocument)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const isReport = what === 'report'
    const isAnomalies = request.kind === 'anomalies'
    const input: ExportReportInput = {
      ...{ spaceId, from: from.toISOString(), to: to.toISOString(), bom: isForSpreadsheets },
      kind: isReport ? (isAnomalies ? 'ANOMALY_REPORT' : 'LOG_REPORT') : isAnomalies ? 'ANOMALIES' : 'LOGS',
      timezone: request.timezone,
      ...(isReport && { interval: request.interval, groupBy: [...request.groups] }),
    }
    const data = await run({ input })
    const url = data?.exportReport.url
    if (url == null) return
    const controller = new AbortController()
    running.current = controller
    setProgress({ rows: 0, estimatedRows: null })
    try {
      const { file, rows } = await downloadCsv(url, setProgress, controller.signal)
      saveFile(file, `${name} ${request.kind} ${from.toISOString().slice(0, 10)}.csv`)
      showToast('success', messages.csvDone(formatNumber(rows)))
      onClose()
    } catch (reason) {
      const isBusy = reason instanceof Error && reason.message === '503'
      setProgress(controller.signal.aborted ? undefined : isBusy ? 'busy' : 'failed')
    }
  }

  const isLoading = typeof progress === 'object'
  return (
    <Dialog
      title={messages.csvTitle}
      onClose={onClose}
      size="small"
      footer={
        isLoading ? (
          <Button onClick={() => running.current?.abort()}>{messages.csvCancel}</Button>
        ) : (
          <Button variant="primary" icon="download" isBusy={isRunning} onClick={() => void start()}>
            {messages.csvStart}
          </Button>
        )
      }
    >
      <Select<'report' | 'events'>
        label={messages.csvWhat}
        value={what}
        disabled={isLoading}
        options={[
          { value: 'report', label: messages.csvReport },
          { value: 'events', label: messages.csvEvents },
        ]}
        onValue={setWhat}
      />
      <Checkbox
        label={messages.csvBom}
        isChecked={isForSpreadsheets}
        onValue={setForSpreadsheets}
        disabled={isLoading}
      />
      <FormErrors errors={userErrors} />
      {error !== undefined && <p role="alert">{error.text}</p>}
      {progress === 'failed' && <p role="alert">{messages.csvFailed}</p>}
      {progress === 'busy' && <p role="alert">{messages.csvBusy}</p>}
      {isLoading && <DownloadBar progress={progress} />}
    </Dialog>
  )
}

function DownloadBar({ progress: { rows, estimatedRows } }: { progress: DownloadProgress }) {
  const isKnown = estimatedRows !== null && estimatedRows > 0
  return (
    <Progress
      label={messages.csvProgress}
      {...(isKnown && { share: Math.min(1, rows / estimatedRows) })}
      text={
        isKnown
          ? messages.csvRows(formatNumber(rows), formatNumber(estimatedRows))
          : messages.csvRowsSoFar(formatNumber(rows))
      }
    />
  )
}
