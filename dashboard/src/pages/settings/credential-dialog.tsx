import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { connectionSnippet } from './connection-snippet.ts'
import { messages } from './messages.ts'
import styles from './section.module.css'

/** Shows a credential once, and how a device is connected with it. */
export function CredentialDialog({
  device,
  credential,
  onClose,
}: {
  device: { id: string; code: string }
  credential: string
  onClose: () => void
}) {
  const snippet = connectionSnippet(location.origin, device.id, credential)
  return (
    <Dialog
      title={messages.credentialTitle(device.code)}
      size="large"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {messages.done}
        </Button>
      }
    >
      <div class={styles.section}>
        <p class={styles.warning}>{messages.credentialOnce}</p>
        <div class={styles.secret}>
          <code data-testid="credential">{credential}</code>
          <CopyButton text={credential} label={messages.copyCredential} />
        </div>
        <h3>{messages.snippetTitle}</h3>
        <p class={styles.note}>{messages.snippetText}</p>
        <pre class={styles.snippet} data-testid="snippet">
          {snippet}
        </pre>
        <div>
          <CopyButton text={snippet} label={messages.copySnippet} />
        </div>
      </div>
    </Dialog>
  )
}
