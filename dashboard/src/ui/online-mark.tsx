import { uiMessages } from './messages.ts'
import styles from './online-mark.module.css'

/** Filled dot for online, hollow with a stroke through it for offline; the word beside it or for screen readers alone. */
export function OnlineMark({ isOnline, isCompact = false }: { isOnline: boolean; isCompact?: boolean }) {
  const text = isOnline ? uiMessages.online : uiMessages.offline
  return (
    <span class={styles.mark} data-online={isOnline} title={isCompact ? text : undefined}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {isOnline ? (
          <circle cx="5" cy="5" r="4" fill="currentColor" />
        ) : (
          <path
            d="M5 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM1 9l8-8"
            fill="none"
            stroke="currentColor"
            stroke-width="1.4"
          />
        )}
      </svg>
      <span class={isCompact ? 'visually-hidden' : undefined}>{text}</span>
    </span>
  )
}
