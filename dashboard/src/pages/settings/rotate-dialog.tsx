import { useEffect } from 'preact/hooks'
import { useMutation } from '../../graphql/use-mutation.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { userErrorText } from '../../ui/form-errors.tsx'
import { showToast } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import { RotateCredentialDocument } from './settings.generated.ts'

/** Asks before a device gets a new credential. */
export function RotateDialog({
  device,
  onClose,
  onRotated,
}: {
  device: { id: string; code: string }
  onClose: () => void
  onRotated: (credential: string) => void
}) {
  const { run, error, userErrors } = useMutation(RotateCredentialDocument)
  useEffect(() => {
    const [problem] = userErrors
    const text = problem === undefined ? error?.text : userErrorText(problem)
    if (text !== undefined) showToast('error', text)
  }, [error, userErrors])
  return (
    <ConfirmDialog
      title={messages.newCredential}
      text={messages.newCredentialText(device.code)}
      confirmLabel={messages.makeCredential}
      onClose={onClose}
      onConfirm={async () => {
        const data = await run({ input: { deviceId: device.id } })
        const credential = data?.rotateDeviceCredential.credential
        if (credential != null) onRotated(credential)
      }}
    />
  )
}
