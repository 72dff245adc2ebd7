import { uiMessages } from './messages.ts'
import styles from './severity-badge.module.css'

export type Severity = 'INFO' | 'MINOR' | 'MAJOR' | 'CRITICAL'

const LEVELS = { INFO: 1, MINOR: 2, MAJOR: 3, CRITICAL: 4 } as const

/** Severity as a word, with one to four bars. `isCompact` shows the bars alone and keeps the word for screen readers. */
export function SeverityBadge({ severity, isCompact = false }: { severity: Severity; isCompact?: boolean }) {
  const text = severityText(severity)
  return (
    <span class={styles.badge} data-severity={severity} title={isCompact ? text : undefined}>
      <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
        {[1, 2, 3, 4].map(level => (
          <rect
            key={level}
            x={(level - 1) * 4 - (level - 1) * 0.4}
            y={12 - level * 3}
            width="2.4"
            height={level * 3}
            rx="0.6"
            opacity={level <= LEVELS[severity] ? 1 : 0.22}
          />
        ))}
      </svg>
      <span class={isCompact ? 'visually-hidden' : undefined}>{text}</span>
    </span>
  )
}

/** The word of a severity in the language of the page. */
export function severityText(severity: Severity): string {
  return {
    INFO: uiMessages.info,
    MINOR: uiMessages.minor,
    MAJOR: uiMessages.major,
    CRITICAL: uiMessages.critical,
  }[severity]
}
