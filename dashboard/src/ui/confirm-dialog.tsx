import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { uiMessages } from './messages.ts'

/** Asks before something that cannot be taken back. It is busy until the promise of `onConfirm` settles. */
export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  isDangerous = false,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  /** The verb of what will happen, never "OK". */
  confirmLabel: string
  isDangerous?: boolean
  onConfirm: () => void | Promise<void>
  onClose: () => void
}) {
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      size="small"
      title={title}
      description={text}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{uiMessages.cancel}</Button>
          <Button variant={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={confirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  )
}
