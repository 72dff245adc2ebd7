import { uiMessages } from './messages.ts'
import styles from './status-mark.module.css'

export type Status = 'RUNNING' | 'IDLE' | 'STOPPED' | 'ERROR' | 'UNKNOWN'

/** Each status has a shape of its own, so that none hangs on its colour: circle, diamond, square, triangle, ring. */
const SHAPES = {
  RUNNING: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Z',
  IDLE: 'M6 .5 11.5 6 6 11.5.5 6Z',
  STOPPED: 'M1.5 1.5h9v9h-9Z',
  ERROR: 'M6 .8 11.7 11H.3Z',
  UNKNOWN: 'M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1ZM6 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z',
} as const

/** Shape and colour of a device's status, with its word beside it or (`isCompact`) for screen readers alone. */
export function StatusMark({
  status,
  isCompact = false,
  size = 12,
}: {
  status: Status
  isCompact?: boolean
  size?: number
}) {
  const text = statusText(status)
  return (
    <span class={styles.mark} data-status={status} title={isCompact ? text : undefined}>
      <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
        <path d={SHAPES[status]} fill-rule="evenodd" />
      </svg>
      <span class={isCompact ? 'visually-hidden' : undefined}>{text}</span>
    </span>
  )
}

/** The word of a status in the language of the page. */
export function statusText(status: Status): string {
  return {
    RUNNING: uiMessages.running,
    IDLE: uiMessages.idle,
    STOPPED: uiMessages.stopped,
    ERROR: uiMessages.error,
    UNKNOWN: uiMessages.unknown,
  }[status]
}
