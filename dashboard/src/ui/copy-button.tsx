import { Button } from './button.tsx'
import { uiMessages } from './messages.ts'
import { showToast } from './toast.tsx'

/** Copies a text and says so in a toast. */
export function CopyButton({ text, label = uiMessages.copy }: { text: string; label?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      showToast('success', uiMessages.copied)
    } catch {
      showToast('error', uiMessages.copyFailed)
    }
  }
  return (
    <Button size="small" icon="copy" onClick={copy}>
      {label}
    </Button>
  )
}
