import { useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { errorOf, FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import styles from './section.module.css'
import {
  CreateLineDocument,
  CreateProcessDocument,
  UpdateLineDocument,
  UpdateProcessDocument,
} from './settings.generated.ts'
import type { FloorLine } from './use-floor.ts'

type Saved = { id: string; name: string; version: number }

/** A line or a process that is to be made, or the one that is to be renamed. */
export type PlaceToSave =
  | { kind: 'line'; saved?: Saved }
  | { kind: 'process'; lineId: string | null; saved?: Saved }

/** Makes a line or a process, or gives it another name. */
export function PlaceDialog({
  place,
  lines,
  onClose,
  onSaved,
}: {
  place: PlaceToSave
  lines: readonly FloorLine[]
  onClose: () => void
  onSaved: () => void
}) {
  const { id: spaceId } = useSpace()
  const { kind, saved } = place
  const [name, setName] = useState(saved?.name ?? '')
  const [lineId, setLineId] = useState(place.kind === 'process' ? (place.lineId ?? '') : '')
  const newLine = useMutation(CreateLineDocument)
  const newProcess = useMutation(CreateProcessDocument)
  const line = useMutation(UpdateLineDocument)
  const process = useMutation(UpdateProcessDocument)
  const used =
    saved === undefined ? (kind === 'line' ? newLine : newProcess) : kind === 'line' ? line : process
  const { isRunning, error, userErrors } = used
  const send = () => {
    if (saved === undefined)
      return kind === 'line'
        ? newLine.run({ input: { spaceId, name } })
        : newProcess.run({ input: { spaceId, name, lineId: lineId === '' ? null : lineId } })
    const { id, version } = saved
    return kind === 'line'
      ? line.run({ input: { lineId: id, version, name } })
      : process.run({ input: { processId: id, version, name } })
  }
  const save = async () => {
    if ((await send()) === null) return
    showToast('success', messages.saved)
    onSaved()
  }
  const wrong = errorOf(userErrors, 'name')
  const made = kind === 'line' ? messages.newLine : messages.newProcess
  return (
    <Dialog
      title={saved === undefined ? made : messages.rename}
      size="small"
      onClose={onClose}
      footer={
        <Button type="submit" form="place-form" variant="primary" isBusy={isRunning}>
          {messages.save}
        </Button>
      }
    >
      <form
        id="place-form"
        class={styles.form}
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={messages.name}
          value={name}
          onValue={setName}
          required
          {...(wrong !== undefined && { error: wrong })}
        />
        {kind === 'process' && saved === undefined && (
          <Select
            label={messages.line}
            value={lineId}
            options={[
              { value: '', label: messages.noLine },
              ...lines.map(one => ({ value: one.id, label: one.name })),
            ]}
            onValue={setLineId}
          />
        )}
        <FormErrors errors={userErrors} fields={['name']} />
        {error !== undefined && <p role="alert">{error.text}</p>}
      </form>
    </Dialog>
  )
}
