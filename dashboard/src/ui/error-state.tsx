import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { uiMessages } from './messages.ts'
import styles from './state.module.css'

/** Says that something could not be loaded, why, and tries again at the press of a button. */
export function ErrorState({
  title = uiMessages.errorTitle,
  text,
  onRetry,
}: {
  title?: string
  text?: string
  onRetry?: () => void
}) {
  return (
    <div class={styles.state} role="alert">
      <span class={styles.icon} data-kind="error">
        <Icon name="alert" size={20} />
      </span>
      <p class={styles.title}>{title}</p>
      {text !== undefined && <p class={styles.text}>{text}</p>}
      {onRetry !== undefined && (
        <div class={styles.action}>
          <Button icon="refresh" onClick={onRetry}>
            {uiMessages.retry}
          </Button>
        </div>
      )}
    </div>
  )
}
