import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { joinClasses } from './join-classes.ts'
import styles from './panel.module.css'

/** Framed part of a page with a title. `isFlush` lets a table or list reach its edges. */
export function Panel({
  title,
  count,
  actions,
  isFlush = false,
  class: className,
  children,
}: {
  title?: string
  /** Small figure beside the title. */
  count?: number | string
  actions?: ComponentChildren
  isFlush?: boolean
  class?: string
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section
      class={joinClasses(styles.panel, className)}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <header class={styles.header}>
          <h2 id={id}>{title}</h2>
          {count !== undefined && <span class={styles.count}>{count}</span>}
          {actions !== undefined && <div class={styles.actions}>{actions}</div>}
        </header>
      )}
      <div class={joinClasses(styles.body, isFlush && styles.flush)}>{children}</div>
    </section>
  )
}
