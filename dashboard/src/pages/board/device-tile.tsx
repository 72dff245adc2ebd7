import type { Signal } from '@preact/signals'
import { Icon } from '../../ui/icon.tsx'
import { OnlineMark } from '../../ui/online-mark.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SeverityBadge } from '../../ui/severity-badge.tsx'
import { StatusMark, statusText } from '../../ui/status-mark.tsx'
import type { BoardDevice } from './board-device.ts'
import type { BoardDensity } from './board-filters.ts'
import styles from './device-tile.module.css'
import { formatMetric } from './format-metric.ts'
import { messages } from './messages.ts'

/** A device on the floor; a link to its page. Redraws itself alone when the device changes. */
export function DeviceTile({
  device,
  spaceId,
  density,
  isActive,
}: {
  device: Signal<BoardDevice>
  spaceId: string
  density: BoardDensity
  /** The one tile that Tab goes to. */
  isActive: boolean
}) {
  const { id, code, name, isOnline, lastSeenAt, isBroadcasting, status, metrics, openAnomalies, severity } =
    device.value
  const isDense = density === 'dense'
  return (
    <a
      class={styles.tile}
      href={`/spaces/${spaceId}/devices/${id}`}
      data-device={id}
      data-status={isOnline ? status : 'OFFLINE'}
      data-severity={openAnomalies > 0 ? (severity ?? 'MINOR') : undefined}
      data-dense={isDense || undefined}
      tabIndex={isActive ? 0 : -1}
    >
      <span class={styles.head}>
        <StatusMark status={status} isCompact />
        <span class={styles.code}>{code}</span>
        {openAnomalies > 0 && (
          <span class={styles.anomalies} title={messages.anomalies(openAnomalies)}>
            {severity === null ? (
              <Icon name="alert" size={13} />
            ) : (
              <SeverityBadge severity={severity} isCompact />
            )}
            <span aria-hidden="true">{openAnomalies}</span>
            <span class="visually-hidden">{messages.anomalies(openAnomalies)}</span>
          </span>
        )}
        {isBroadcasting && (
          <span class={styles.video} title={messages.broadcasting}>
            <Icon name="video" size={13} />
            <span class="visually-hidden">{messages.broadcasting}</span>
          </span>
        )}
        {!isOnline && <OnlineMark isOnline={false} isCompact />}
      </span>
      {!isDense && (
        <>
          <span class={styles.name}>{name}</span>
          <span class={styles.foot}>
            {isOnline ? (
              <>
                <span class={styles.status}>{statusText(status)}</span>
                <span class={styles.metric}>{formatMetric(metrics)}</span>
              </>
            ) : lastSeenAt === null ? (
              messages.neverSeen
            ) : (
              <RelativeTime at={lastSeenAt} />
            )}
          </span>
        </>
      )}
    </a>
  )
}
