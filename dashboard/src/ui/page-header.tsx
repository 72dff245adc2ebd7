import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import styles from './page-header.module.css'

/** The one h1 of a page, with what stands beside it. It also names the tab of the browser. */
export function PageHeader({
  title,
  description,
  meta,
  actions,
}: {
  title: string
  description?: string
  /** Badges and marks right after the title. */
  meta?: ComponentChildren
  actions?: ComponentChildren
}) {
  useEffect(() => {
    document.title = `${title} · NUVION`
  }, [title])
  return (
    <header class={styles.header}>
      <div class={styles.words}>
        <div class={styles.line}>
          <h1>{title}</h1>
          {meta}
        </div>
        {description !== undefined && <p>{description}</p>}
      </div>
      {actions !== undefined && <div class={styles.actions}>{actions}</div>}
    </header>
  )
}
