import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import styles from './keyboard-help.module.css'
import { uiMessages } from './messages.ts'
import { shortcuts, useShortcut } from './shortcuts.ts'

/** List of the shortcuts of the page, opened by `?`. Once in the page. */
export function KeyboardHelp() {
  const [isOpen, setOpen] = useState(false)
  useShortcut('?', uiMessages.showShortcuts, () => setOpen(true))
  if (!isOpen) return null
  const rows = new Map(shortcuts.value.map(({ key, label }) => [key, label]))
  return (
    <Dialog title={uiMessages.shortcuts} onClose={() => setOpen(false)}>
      <dl class={styles.list}>
        {[...rows].map(([key, label]) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
