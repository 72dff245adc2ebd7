import { formatDuration, formatTime } from '../../i18n/format.ts'
import { statusText } from '../../ui/status-mark.tsx'
import styles from './band.module.css'
import { messages } from './messages.ts'
import type { StatusStep } from './state-history.ts'

/** What a device worked at over a range, as a band of colours whose parts name themselves. */
export function StatusBand({
  steps,
  from,
  to,
  timeZone,
}: {
  steps: readonly StatusStep[]
  from: number
  to: number
  timeZone: string
}) {
  const parts = steps.flatMap(({ at, status }, index) => {
    const start = Math.max(at, from)
    const end = Math.min(steps[index + 1]?.at ?? to, to)
    return end > start ? [{ status, start, end }] : []
  })
  const length = Math.max(1, to - from)
  return (
    <div>
      <h3 class={styles.name}>{messages.status}</h3>
      <ol class={styles.band} aria-label={messages.status}>
        {parts.map(({ status, start, end }) => {
          const text = `${statusText(status)} · ${formatTime(start, timeZone)} · ${formatDuration(end - start)}`
          return (
            <li
              key={start}
              title={text}
              data-kind={status}
              style={{
                left: `${((start - from) / length) * 100}%`,
                width: `${((end - start) / length) * 100}%`,
              }}
            >
              <span class="visually-hidden">{text}</span>
            </li>
          )
        })}
      </ol>
      <div class={styles.ends} aria-hidden="true">
        <span>{formatTime(from, timeZone)}</span>
        <span>{formatTime(to, timeZone)}</span>
      </div>
    </div>
  )
}
