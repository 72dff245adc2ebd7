import type { ComponentChildren } from 'preact'
import { Button } from '../ui/button.tsx'
import styles from './bare-frame.module.css'
import { messages } from './messages.ts'
import { Preferences } from './preferences.tsx'

/** Frame of pages for one short task: the mark, the task in the middle, theme and language, and the way out of the session. */
export function BareFrame({
  onSignOut,
  children,
}: {
  /** Left out where nobody is signed in. */
  onSignOut?: () => void
  children: ComponentChildren
}) {
  return (
    <div class={styles.frame}>
      <header class={styles.top}>
        <span class={styles.word}>NUVION</span>
        <div class={styles.tools}>
          {onSignOut !== undefined && (
            <Button variant="ghost" size="small" icon="signOut" onClick={onSignOut}>
              {messages.signOut}
            </Button>
          )}
          <Preferences opens="down" />
        </div>
      </header>
      <main id="content" class={styles.main}>
        <div class={styles.card}>{children}</div>
      </main>
    </div>
  )
}
