import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import styles from './state.module.css'

/** Says that there is nothing, and what to do about it. */
export function EmptyState({
  icon = 'archive',
  title,
  text,
  action,
}: {
  icon?: IconName
  title: string
  text?: string
  /** A button or link. */
  action?: ComponentChildren
}) {
  return (
    <div class={styles.state}>
      <span class={styles.icon}>
        <Icon name={icon} size={20} />
      </span>
      <p class={styles.title}>{title}</p>
      {text !== undefined && <p class={styles.text}>{text}</p>}
      {action !== undefined && <div class={styles.action}>{action}</div>}
    </div>
  )
}
