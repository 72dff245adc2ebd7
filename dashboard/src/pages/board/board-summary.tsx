import { formatNumber } from '../../i18n/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { OnlineMark } from '../../ui/online-mark.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { BoardStore } from './board-store.ts'
import styles from './board-summary.module.css'
import { messages } from './messages.ts'

const STATUSES = ['RUNNING', 'IDLE', 'STOPPED', 'ERROR'] as const

/** How the floor is as a whole; statuses are those of devices that are online. */
export function BoardSummary({ store }: { store: BoardStore }) {
  store.version.value
  const counts = { total: 0, online: 0, anomalies: 0, video: 0 }
  const byStatus = { RUNNING: 0, IDLE: 0, STOPPED: 0, ERROR: 0, UNKNOWN: 0 }
  for (const { isOnline, status, openAnomalies, isBroadcasting } of store.all()) {
    counts.total++
    counts.anomalies += openAnomalies
    if (isOnline) counts.online++
    if (isOnline) byStatus[status]++
    if (isBroadcasting) counts.video++
  }
  return (
    <dl class={styles.summary}>
      <Figure label={messages.devices} value={counts.total} />
      <Figure label={<OnlineMark isOnline />} value={counts.online} />
      {STATUSES.map(status => (
        <Figure key={status} label={<StatusMark status={status} />} value={byStatus[status]} />
      ))}
      <Figure
        label={
          <>
            <Icon name="alert" size={13} /> {messages.openAnomalies}
          </>
        }
        value={counts.anomalies}
      />
      <Figure
        label={
          <>
            <Icon name="video" size={13} /> {messages.broadcasting}
          </>
        }
        value={counts.video}
      />
    </dl>
  )
}

function Figure({ label, value }: { label: preact.ComponentChildren; value: number }) {
  return (
    <div class={styles.figure}>
      <dt>{label}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  )
}
