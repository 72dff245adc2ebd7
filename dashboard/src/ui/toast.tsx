import { signal } from '@preact/signals'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { joinClasses } from './join-classes.ts'
import { uiMessages } from './messages.ts'
import styles from './toast.module.css'

export type ToastKind = 'success' | 'error' | 'info'
type Toast = { id: number; kind: ToastKind; text: string; action?: { label: string; onPress: () => void } }

const MAX_TOASTS = 4
const SHOWN_MS = 6_000

const toasts = signal<readonly Toast[]>([])
let lastId = 0

/**
 * Says something at the edge of the page and to screen readers, for 6 s; errors and toasts with an action stay until closed. At most
 * four are kept, the newest.
 */
export function showToast(kind: ToastKind, text: string, action?: Toast['action']): void {
  lastId += 1
  const id = lastId
  toasts.value = [...toasts.value, { id, kind, text, action }].slice(-MAX_TOASTS)
  if (kind !== 'error' && action === undefined) setTimeout(() => closeToast(id), SHOWN_MS)
}

/** The place of the toasts: once in the page, always mounted. */
export function Toasts() {
  return (
    <section class={styles.toasts} aria-live="polite" aria-label={uiMessages.notifications}>
      {toasts.value.map(({ id, kind, text, action }) => (
        <div key={id} class={joinClasses(styles.toast, styles[kind])}>
          <Icon name={kind === 'success' ? 'check' : kind === 'error' ? 'alert' : 'info'} />
          <p>{text}</p>
          {action !== undefined && (
            <button
              type="button"
              class={styles.action}
              onClick={() => {
                closeToast(id)
                action.onPress()
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon="close" size="small" label={uiMessages.close} onClick={() => closeToast(id)} />
        </div>
      ))}
    </section>
  )
}

function closeToast(id: number): void {
  toasts.value = toasts.value.filter(toast => toast.id !== id)
}
