import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Plot } from '../../ui/plot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { resolveTimeRange, serializeTimeRange, type TimeRange } from '../../ui/time-range.ts'
import { TimeRangePicker } from '../../ui/time-range-picker.tsx'
import type { DeviceHeadFragment } from './device.generated.ts'
import styles from './device-history.module.css'
import { messages } from './messages.ts'
import { addState, type MetricTrack } from './state-history.ts'
import { StatusBand } from './status-band.tsx'
import { useStateHistory } from './use-state-history.ts'

/** The status and the metrics of a device over a range; a range that ends now grows with each state. */
export function DeviceHistory({
  deviceId,
  state,
  range,
  loads,
  onRange,
}: {
  deviceId: string
  state: DeviceHeadFragment['state']
  range: TimeRange
  /** Rises whenever events may have been missed. */
  loads: number
  onRange: (range: TimeRange) => void
}) {
  const { timezone } = useSpace()
  const [askedAt, setAskedAt] = useState(() => Date.now())
  const rangeText = serializeTimeRange(range)
  const isLive = 'preset' in range
  const { from, to } = useMemo(() => resolveTimeRange(range, askedAt), [rangeText, askedAt])
  useEffect(() => {
    if (loads > 1) setAskedAt(Date.now())
  }, [loads])
  const loaded = useStateHistory(deviceId, from.toISOString(), to.toISOString())
  const added = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (loaded.history === undefined || !isLive || state === null) return
    if (added.current === state.reportedAt) return
    added.current = state.reportedAt
    const { status, metrics, reportedAt } = state
    loaded.update(history => addState(history, { status, metrics, at: Date.parse(reportedAt) }))
  }, [state, isLive, loaded.history === undefined])

  const { history } = loaded
  const end = isLive && state !== null ? Math.max(to.getTime(), Date.parse(state.reportedAt)) : to.getTime()
  const metrics = [...(history?.metrics ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
  const isEmpty = history !== undefined && history.statuses.length === 0 && metrics.length === 0
  const zoom = (start: number, stop: number) =>
    onRange({ from: new Date(start).toISOString(), to: new Date(stop).toISOString() })
  return (
    <Panel
      title={messages.history}
      actions={
        <TimeRangePicker
          value={range}
          timeZone={timezone}
          presets={['15m', '1h', '6h', '24h', '7d']}
          onValue={next => {
            setAskedAt(Date.now())
            onRange(next)
          }}
        />
      }
    >
      {loaded.error !== undefined ? (
        <ErrorState text={loaded.error.text} onRetry={loaded.reload} />
      ) : history === undefined ? (
        <Skeleton rows={4} height={80} />
      ) : isEmpty ? (
        <EmptyState icon="clock" title={messages.noHistory} />
      ) : (
        <div class={styles.history} aria-busy={loaded.isLoading}>
          {loaded.isTooMuch && <p class={styles.note}>{messages.tooMuch}</p>}
          <StatusBand steps={history.statuses} from={from.getTime()} to={end} timeZone={timezone} />
          {metrics.map(([name, track]) => (
            <MetricPlot key={name} name={name} track={track} timeZone={timezone} onZoom={zoom} />
          ))}
        </div>
      )}
    </Panel>
  )
}

function MetricPlot({
  name,
  track,
  timeZone,
  onZoom,
}: {
  name: string
  track: MetricTrack
  timeZone: string
  onZoom: (from: number, to: number) => void
}) {
  const series = useMemo(() => {
    const last = { label: messages.last, values: track.last, color: 'plot-1' }
    if (track.min.every((value, at) => value === track.max[at])) return [last]
    return [
      last,
      { label: messages.least, values: track.min, color: 'border-control' },
      { label: messages.most, values: track.max, color: 'border-control' },
    ]
  }, [track])
  return (
    <div>
      <h3 class={styles.name}>{name}</h3>
      <Plot
        label={name}
        times={track.times}
        series={series}
        timeZone={timeZone}
        height={140}
        onZoom={onZoom}
      />
    </div>
  )
}
