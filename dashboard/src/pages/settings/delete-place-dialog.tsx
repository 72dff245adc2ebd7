import { useState } from 'preact/hooks'
import { useMutation } from '../../graphql/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { messages } from './messages.ts'
import { DeleteLineDocument, DeleteProcessDocument } from './settings.generated.ts'

/** Deletes a line or a process, and says where its devices go. */
export function DeletePlaceDialog({
  place: { kind, id, name, version },
  others,
  onClose,
  onDeleted,
}: {
  place: { kind: 'line' | 'process'; id: string; name: string; version: number }
  others: readonly { id: string; name: string }[]
  onClose: () => void
  onDeleted: () => void
}) {
  const [target, setTarget] = useState('')
  const line = useMutation(DeleteLineDocument)
  const process = useMutation(DeleteProcessDocument)
  const { isRunning, error, userErrors } = kind === 'line' ? line : process
  const end = async () => {
    const moveTo = target === '' ? null : target
    const done = await (kind === 'line'
      ? line.run({ input: { lineId: id, version, moveDevicesToLineId: moveTo } })
      : process.run({ input: { processId: id, version, moveDevicesToProcessId: moveTo } }))
    if (done !== null) onDeleted()
  }
  return (
    <Dialog
      title={kind === 'line' ? messages.deleteLine : messages.deleteProcess}
      description={messages.deleteText(name)}
      size="small"
      onClose={onClose}
      footer={
        <Button variant="danger" isBusy={isRunning} onClick={() => void end()}>
          {kind === 'line' ? messages.deleteLine : messages.deleteProcess}
        </Button>
      }
    >
      <Select
        label={messages.moveDevices}
        value={target}
        options={[
          { value: '', label: messages.none },
          ...others.filter(other => other.id !== id).map(other => ({ value: other.id, label: other.name })),
        ]}
        onValue={setTarget}
      />
      <FormErrors errors={userErrors} />
      {error !== undefined && <p role="alert">{error.text}</p>}
    </Dialog>
  )
}
