import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import { uiMessages } from './messages.ts'
import styles from './state.module.css'

/** Says that the role of the person does not reach, and whom to ask. */
export function ForbiddenState({
  title = uiMessages.forbiddenTitle,
  text = uiMessages.forbiddenText,
  action,
}: {
  title?: string
  text?: string
  /** Where one may go instead. */
  action?: ComponentChildren
}) {
  return (
    <div class={styles.state} role="status">
      <span class={styles.icon}>
        <Icon name="lock" size={20} />
      </span>
      <p class={styles.title}>{title}</p>
      <p class={styles.text}>{text}</p>
      {action}
    </div>
  )
}
