import styles from './progress.module.css'

/** Bar of a share from 0 to 1; without one it says only that work goes on. */
export function Progress({ label, share, text }: { label: string; share?: number; text?: string }) {
  return (
    <div class={styles.progress}>
      <div class={styles.words}>
        <span>{label}</span>
        {text !== undefined && <span class={styles.text}>{text}</span>}
      </div>
      <progress aria-label={label} max={1} value={share} class={styles.bar} />
    </div>
  )
}
