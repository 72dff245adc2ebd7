import { useState } from 'preact/hooks'
import { lazyPage } from '../../app/lazy-page.tsx'
import { navigate, useParams } from '../../app/router.ts'
import { useSpace } from '../../app/space-context.ts'
import { useUrlState } from '../../app/url-state.ts'
import { useLive } from '../../graphql/use-live.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { parseTimeRange, serializeTimeRange, type TimeRange } from '../../ui/time-range.ts'
import { DeviceHeadOfDocument, DevicePresenceDocument, DeviceStatesDocument } from './device.generated.ts'
import { DeviceAnomalies } from './device-anomalies.tsx'
import { DeviceHeader } from './device-header.tsx'
import { DeviceHistory } from './device-history.tsx'
import styles from './device-page.module.css'
import { LogTail } from './log-tail.tsx'
import { messages } from './messages.ts'
import { PresenceTimeline } from './presence-timeline.tsx'

/** Loads mediasoup-client along, which is large. */
const VideoPanel = lazyPage(async () => (await import('./video/video-panel.tsx')).VideoPanel, null)

const DEFAULT_RANGE: TimeRange = { preset: '1h' }

/** One device: what it says now, and what it said. */
export function DevicePage() {
  const { deviceId } = useParams<'deviceId'>()
  return <DeviceOf key={deviceId} deviceId={deviceId} />
}

function DeviceOf({ deviceId }: { deviceId: string }) {
  const { id: spaceId } = useSpace()
  const [range, setRange] = useUrlState('range', parseTimeRange, DEFAULT_RANGE, serializeTimeRange)
  const { data, error, isLoading, reload, update } = useQuery(
    DeviceHeadOfDocument,
    { deviceId },
    { isManual: true },
  )
  type Device = NonNullable<NonNullable<typeof data>['device']>
  const change = (changes: Partial<Device>) =>
    update(before => ({ device: before.device && { ...before.device, ...changes } }))
  const [loads, setLoads] = useState(0)
  const onLoad = () => {
    void reload()
    setLoads(before => before + 1)
  }
  useLive(
    DeviceStatesDocument,
    { spaceId, deviceIds: [deviceId] },
    {
      onLoad,
      onEvent: ({ deviceStateChanged: { state, connectivity } }) => change({ state, connectivity }),
    },
  )
  useLive(
    DevicePresenceDocument,
    { spaceId },
    {
      onEvent: ({ devicePresenceChanged: { id, online, lastSeenAt } }) => {
        if (id === deviceId) change({ online, lastSeenAt })
      },
    },
  )
  const device = data?.device
  const isGone = device === null || error?.code === 'NOT_FOUND' || (device && device.space.id !== spaceId)
  if (isGone && !isLoading)
    return (
      <>
        <PageHeader title={messages.title} />
        <EmptyState
          icon="device"
          title={messages.gone}
          text={messages.goneText}
          action={<Button onClick={() => navigate(`/spaces/${spaceId}/board`)}>{messages.back}</Button>}
        />
      </>
    )
  if (device == null)
    return (
      <>
        <PageHeader title={messages.title} />
        {error === undefined ? (
          <Skeleton rows={8} height={56} />
        ) : (
          <ErrorState text={error.text} onRetry={onLoad} />
        )}
      </>
    )
  return (
    <div class={styles.page}>
      <DeviceHeader device={device} />
      <div class={styles.columns}>
        <div class={styles.column}>
          <VideoPanel deviceId={deviceId} />
          <DeviceHistory
            deviceId={deviceId}
            state={device.state}
            range={range}
            loads={loads}
            onRange={setRange}
          />
          <PresenceTimeline deviceId={deviceId} isOnline={device.online} range={range} />
        </div>
        <div class={styles.column}>
          <LogTail deviceId={deviceId} />
          <DeviceAnomalies deviceId={deviceId} onCount={openAnomalyCount => change({ openAnomalyCount })} />
        </div>
      </div>
    </div>
  )
}
