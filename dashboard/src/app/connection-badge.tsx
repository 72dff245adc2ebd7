import type { ReadonlySignal } from '@preact/signals'
import { RelativeTime } from '../ui/relative-time.tsx'
import type { ConnectionState } from './connection.ts'
import styles from './connection-badge.module.css'
import { messages } from './messages.ts'

/** Says whether the page is live, and how old its data is while it is not. */
export function ConnectionBadge({ connection }: { connection: ReadonlySignal<ConnectionState> }) {
  const state = connection.value
  const text = {
    live: messages.live,
    reconnecting: messages.reconnecting,
    offline: messages.connectionLost,
  }[state.kind]
  return (
    <div class={styles.badge} data-kind={state.kind}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {state.kind === 'live' ? (
          <circle cx="5" cy="5" r="4" fill="currentColor" />
        ) : (
          <circle
            cx="5"
            cy="5"
            r="3.5"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            stroke-dasharray="4 2"
          />
        )}
      </svg>
      <span role="status">{text}</span>
      {state.kind !== 'live' && (
        <span class={styles.age}>
          <RelativeTime at={state.since} />
        </span>
      )}
    </div>
  )
}
