import { uiMessages } from './messages.ts'
import styles from './skeleton.module.css'

/** Grey rows in the place of what is being loaded, as high as what will come (px). */
export function Skeleton({
  rows = 1,
  height = 20,
  gap = 12,
}: {
  rows?: number
  height?: number
  gap?: number
}) {
  return (
    <div class={styles.skeleton} role="status" style={{ gap: `${gap}px` }}>
      <span class="visually-hidden">{uiMessages.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} class={styles.row} style={{ height: `${height}px` }} aria-hidden="true" />
      ))}
    </div>
  )
}
