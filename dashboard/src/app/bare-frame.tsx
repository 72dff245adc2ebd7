import type { ComponentChildren } from 'preact'
import styles from './bare-frame.module.css'
import { Preferences } from './preferences.tsx'

/** Frame of pages for one short task: the mark, the task in the middle, theme and language. */
export function BareFrame({ children }: { children: ComponentChildren }) {
  return (
    <div class={styles.frame}>
      <header class={styles.top}>
        <span class={styles.word}>NUVION</span>
        <div class={styles.tools}>
          <Preferences opens="down" />
        </div>
      </header>
      <main id="content" class={styles.main}>
        <div class={styles.card}>{children}</div>
      </main>
    </div>
  )
}
