import { useMemo, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { saveFile } from '../../files/save-file.ts'
import { toCsv } from '../../files/to-csv.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { messages } from './messages.ts'
import { parseDevices } from './parse-devices.ts'
import styles from './section.module.css'
import { RegisterDevicesDocument } from './settings.generated.ts'
import type { useFloor } from './use-floor.ts'

/** Registers devices of a pasted list, all or none, and hands their credentials over once, as a file. */
export function ManyDevicesDialog({
  floor,
  onClose,
  onRegistered,
}: {
  floor: ReturnType<typeof useFloor>
  onClose: () => void
  onRegistered: () => void
}) {
  const { id: spaceId } = useSpace()
  const [text, setText] = useState('')
  const [made, setMade] = useState<readonly { device: { id: string; code: string }; credential: string }[]>(
    [],
  )
  const { run, isRunning, error, userErrors } = useMutation(RegisterDevicesDocument)
  const { devices, problems } = useMemo(() => parseDevices(text, floor), [text, floor.lines, floor.processes])

  const register = async () => {
    const data = await run({ input: { spaceId, devices: devices.map(device => ({ ...device })) } })
    const registered = data?.registerDevices.registered
    if (registered == null) return
    setMade(registered)
    onRegistered()
  }

  if (made.length > 0) {
    const rows = made.map(({ device, credential }) => [device.code, device.id, credential])
    const file = () => new Blob([toCsv([['code', 'login', 'passcode'], ...rows])], { type: 'text/csv' })
    return (
      <Dialog
        title={messages.manyDone(made.length)}
        onClose={onClose}
        footer={
          <>
            <Button icon="download" onClick={() => saveFile(file(), 'credentials.csv')}>
              {messages.manyFile}
            </Button>
            <Button variant="primary" onClick={onClose}>
              {messages.done}
            </Button>
          </>
        }
      >
        <p class={styles.warning}>{messages.manyCredentials}</p>
      </Dialog>
    )
  }
  const isReady = devices.length > 0 && problems.length === 0
  return (
    <Dialog
      title={messages.registerMany}
      description={messages.manyText}
      size="large"
      onClose={onClose}
      footer={
        <Button variant="primary" isBusy={isRunning} disabled={!isReady} onClick={() => void register()}>
          {messages.manyCount(devices.length)}
        </Button>
      }
    >
      <TextField
        label={messages.manyField}
        rows={12}
        value={text}
        onValue={setText}
        placeholder={messages.manyExample}
        {...(problems.length > 0 && { error: problems.slice(0, 5).join(' ') })}
      />
      <FormErrors errors={userErrors} />
      {error !== undefined && <p role="alert">{error.text}</p>}
    </Dialog>
  )
}
