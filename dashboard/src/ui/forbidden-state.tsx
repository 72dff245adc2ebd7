import { Icon } from './icon.tsx'
import { uiMessages } from './messages.ts'
import styles from './state.module.css'

/** Says that the role of the person does not reach, and whom to ask. */
export function ForbiddenState({
  title = uiMessages.forbiddenTitle,
  text = uiMessages.forbiddenText,
}: {
  title?: string
  text?: string
}) {
  return (
    <div class={styles.state} role="status">
      <span class={styles.icon}>
        <Icon name="lock" size={20} />
      </span>
      <p class={styles.title}>{title}</p>
      <p class={styles.text}>{text}</p>
    </div>
  )
}
