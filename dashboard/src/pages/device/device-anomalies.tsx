import { useSpace } from '../../app/space-context.ts'
import { useLive } from '../../graphql/use-live.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SeverityBadge } from '../../ui/severity-badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import {
  DeviceAnomaliesDocument,
  type DeviceAnomalyFragment,
  DeviceAnomalyRaisedDocument,
  DeviceAnomalyUpdatedDocument,
} from './device.generated.ts'
import styles from './device-anomalies.module.css'
import { messages } from './messages.ts'

/** The newest anomalies of a device, those that are not resolved first. `onCount` hears how many are open. */
export function DeviceAnomalies({
  deviceId,
  onCount,
}: {
  deviceId: string
  onCount: (openAnomalyCount: number) => void
}) {
  const { id: spaceId, timezone } = useSpace()
  const filter = { deviceIds: [deviceId] }
  const { data, error, reload } = useQuery(DeviceAnomaliesDocument, { spaceId, filter }, { isManual: true })
  const onNews = (device: { openAnomalyCount: number | null } | null) => {
    if (device?.openAnomalyCount != null) onCount(device.openAnomalyCount)
    void reload()
  }
  useLive(
    DeviceAnomalyRaisedDocument,
    { spaceId, filter },
    { onLoad: () => void reload(), onEvent: ({ anomalyRaised }) => onNews(anomalyRaised.device) },
  )
  useLive(
    DeviceAnomalyUpdatedDocument,
    { spaceId, filter },
    { onEvent: ({ anomalyUpdated }) => onNews(anomalyUpdated.device) },
  )
  const anomalies = [...(data?.anomalies.nodes ?? [])].sort(
    (a, b) => Number(a.status === 'RESOLVED') - Number(b.status === 'RESOLVED'),
  )
  return (
    <Panel
      title={messages.anomalies}
      actions={
        <a href={`/spaces/${spaceId}/anomalies?device=${deviceId}&status=all`}>{messages.allAnomalies}</a>
      }
    >
      {data === undefined ? (
        error === undefined ? (
          <Skeleton rows={3} height={40} />
        ) : (
          <ErrorState text={error.text} onRetry={() => void reload()} />
        )
      ) : anomalies.length === 0 ? (
        <p class={styles.none}>{messages.noAnomalies}</p>
      ) : (
        <ul class={styles.list}>
          {anomalies.map(anomaly => (
            <li key={anomaly.id}>
              <a
                class={styles.row}
                href={`/spaces/${spaceId}/anomalies?device=${deviceId}&status=all&anomaly=${anomaly.id}`}
              >
                <SeverityBadge severity={anomaly.severity} />
                <span class={styles.type}>{anomaly.type}</span>
                <span class={styles.message}>{anomaly.message}</span>
                {anomaly.occurrences > 1 && <span>{messages.times(anomaly.occurrences)}</span>}
                <StatusBadge status={anomaly.status} />
                <span class={styles.time}>
                  <RelativeTime at={anomaly.lastOccurredAt} timeZone={timezone} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function StatusBadge({ status }: Pick<DeviceAnomalyFragment, 'status'>) {
  const texts = { OPEN: messages.open, ACKNOWLEDGED: messages.acknowledged, RESOLVED: messages.resolved }
  const tones = { OPEN: 'bad', ACKNOWLEDGED: 'warning', RESOLVED: 'neutral' } as const
  return <Badge tone={tones[status]}>{texts[status]}</Badge>
}
