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
  RegisterDeviceDocument,
  type SettingsDeviceFragment,
  UpdateDeviceDocument,
} from './settings.generated.ts'
import type { useFloor } from './use-floor.ts'

const FIELDS = ['code', 'name', 'model', 'lineId', 'processId']

/** Registers a device, or changes one. `onSaved` gets the credential of a new one. */
export function DeviceDialog({
  device,
  floor,
  onClose,
  onSaved,
  onConflict,
}: {
  device?: SettingsDeviceFragment
  floor: ReturnType<typeof useFloor>
  onClose: () => void
  onSaved: (made?: { device: { id: string; code: string }; credential: string }) => void
  onConflict: () => void
}) {
  const { id: spaceId } = useSpace()
  const [code, setCode] = useState(device?.code ?? '')
  const [name, setName] = useState(device?.name ?? '')
  const [model, setModel] = useState(device?.model ?? '')
  const [lineId, setLineId] = useState(device?.line?.id ?? '')
  const [processId, setProcessId] = useState(device?.process?.id ?? '')
  const registration = useMutation(RegisterDeviceDocument)
  const change = useMutation(UpdateDeviceDocument)
  const { isRunning, error, userErrors } = device === undefined ? registration : change
  const none = { value: '', label: messages.none }
  const processes = floor.processes.filter(({ line }) => lineId === '' || line === null || line.id === lineId)

  const save = async () => {
    const fields = {
      ...{ code, name, model: model === '' ? null : model },
      ...{ lineId: lineId === '' ? null : lineId, processId: processId === '' ? null : processId },
    }
    if (device === undefined) {
      const made = (await registration.run({ input: { spaceId, ...fields } }))?.registerDevice
      if (made?.device == null || made.credential === null) return
      onSaved({ device: made.device, credential: made.credential })
      return
    }
    const done = await change.run({ input: { deviceId: device.id, version: device.version, ...fields } })
    if (done === null) return onConflict()
    showToast('success', messages.saved)
    onSaved()
  }

  const errorFor = (field: string) => {
    const text = errorOf(userErrors, field)
    return text === undefined ? {} : { error: text }
  }
  return (
    <Dialog
      title={device === undefined ? messages.register : messages.editDevice}
      onClose={onClose}
      footer={
        <Button type="submit" form="device-form" variant="primary" isBusy={isRunning}>
          {device === undefined ? messages.register : messages.save}
        </Button>
      }
    >
      <form
        id="device-form"
        class={styles.form}
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField label={messages.code} value={code} onValue={setCode} required {...errorFor('code')} />
        <TextField label={messages.name} value={name} onValue={setName} required {...errorFor('name')} />
        <TextField
          label={messages.model}
          value={model}
          onValue={setModel}
          isOptional
          {...errorFor('model')}
        />
        <div class={styles.pair}>
          <Select
            label={messages.line}
            value={lineId}
            options={[none, ...floor.lines.map(line => ({ value: line.id, label: line.name }))]}
            onValue={next => {
              setLineId(next)
              setProcessId('')
            }}
            {...errorFor('lineId')}
          />
          <Select
            label={messages.process}
            value={processId}
            options={[none, ...processes.map(process => ({ value: process.id, label: process.name }))]}
            onValue={setProcessId}
            {...errorFor('processId')}
          />
        </div>
        <FormErrors errors={userErrors} fields={FIELDS} />
        {error !== undefined && <p role="alert">{error.text}</p>}
      </form>
    </Dialog>
  )
}
