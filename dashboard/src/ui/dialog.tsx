import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'
import { joinClasses } from './join-classes.ts'
import { uiMessages } from './messages.ts'

/**
 * Modal dialog: focus stays in it and returns to where it was. Escape, its cross and a press beside it call `onClose`.
 * Mounted while open: `{isOpen && <Dialog …/>}`. With `side="right"` it is a drawer.
 */
export function Dialog({
  title,
  description,
  onClose,
  children,
  footer,
  size = 'medium',
  side,
}: {
  title: string
  description?: string
  onClose: () => void
  children?: ComponentChildren
  /** Its buttons, the main one last. */
  footer?: ComponentChildren
  size?: 'small' | 'medium' | 'large'
  side?: 'right'
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, through onCancel.
    <dialog
      ref={dialog}
      class={joinClasses(styles.dialog, styles[size], side === 'right' && styles.right)}
      aria-labelledby={id}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class={styles.frame}>
        <header class={styles.header}>
          <div>
            <h2 id={id}>{title}</h2>
            {description !== undefined && (
              <p id={`${id}-description`} class={styles.description}>
                {description}
              </p>
            )}
          </div>
          <IconButton icon="close" label={uiMessages.close} onClick={onClose} />
        </header>
        {children !== undefined && <div class={styles.body}>{children}</div>}
        {footer !== undefined && <footer class={styles.footer}>{footer}</footer>}
      </div>
    </dialog>
  )
}
