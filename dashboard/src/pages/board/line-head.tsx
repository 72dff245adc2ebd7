import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { BoardPlace } from './board-rows.ts'
import type { BoardStore } from './board-store.ts'
import styles from './line-head.module.css'
import { messages } from './messages.ts'

/** The head of a line: its name, how many of its devices are there, and what is wrong on it. */
export function LineHead({
  store,
  line,
  deviceIds,
  isCollapsed,
  onToggle,
}: {
  store: BoardStore
  line: BoardPlace | null
  deviceIds: readonly string[]
  isCollapsed: boolean
  onToggle: () => void
}) {
  const name = line?.name ?? messages.noLine
  store.version.value
  const devices = deviceIds.flatMap(id => store.device(id)?.peek() ?? [])
  const online = devices.filter(({ isOnline }) => isOnline).length
  const anomalies = devices.reduce((sum, { openAnomalies }) => sum + openAnomalies, 0)
  return (
    <div class={styles.head}>
      <IconButton
        icon={isCollapsed ? 'chevronRight' : 'chevronDown'}
        size="small"
        label={isCollapsed ? messages.expand(name) : messages.collapse(name)}
        onClick={onToggle}
      />
      <h2 class={styles.name}>{name}</h2>
      <span class={styles.count}>{messages.onlineOf(online, devices.length)}</span>
      {anomalies > 0 && (
        <span class={styles.anomalies}>
          <Icon name="alert" size={13} />
          {messages.anomalies(anomalies)}
        </span>
      )}
    </div>
  )
}
