import { useEffect, useState } from 'preact/hooks'
import { reloadSpaces } from '../../app/product-session.ts'
import { navigate } from '../../app/router.ts'
import { useSpace } from '../../app/space-context.ts'
import { asRequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { errorOf, FormErrors } from '../../ui/form-errors.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import { mayManage } from './roles.ts'
import styles from './section.module.css'
import {
  DeleteSpaceDocument,
  RestoreSpaceDocument,
  SettingsSpaceDocument,
  type SettingsSpaceQuery,
  UpdateSpaceDocument,
} from './settings.generated.ts'

type Space = NonNullable<SettingsSpaceQuery['space']>

/** The space itself: its name and zone, how long it keeps things, and its end. */
export function SpaceSection() {
  const { id: spaceId, viewerRole } = useSpace()
  const { data, error, reload } = useQuery(SettingsSpaceDocument, { spaceId })
  if (data?.space == null)
    return error === undefined ? (
      <Skeleton rows={4} height={48} />
    ) : (
      <ErrorState text={error.text} onRetry={() => void reload()} />
    )
  return (
    <div class={styles.section}>
      <SpaceForm space={data.space} onSaved={() => void reload()} />
      {viewerRole === 'OWNER' && <SpaceEnd space={data.space} />}
    </div>
  )
}

function SpaceForm({ space, onSaved }: { space: Space; onSaved: () => void }) {
  const { viewerRole } = useSpace()
  const [name, setName] = useState(space.name)
  const [timezone, setTimezone] = useState(space.timezone)
  const [days, setDays] = useState(String(space.retentionDays ?? ''))
  const { run, isRunning, error, userErrors } = useMutation(UpdateSpaceDocument)
  useEffect(() => {
    setName(space.name)
    setTimezone(space.timezone)
    setDays(String(space.retentionDays ?? ''))
  }, [space.version])
  const isOwner = viewerRole === 'OWNER'
  const save = async () => {
    const changes = {
      ...(name !== space.name && { name }),
      ...(timezone !== space.timezone && { timezone }),
      ...(days !== String(space.retentionDays ?? '') && { retentionDays: days === '' ? null : Number(days) }),
    }
    const done = await run({ input: { spaceId: space.id, version: space.version, ...changes } })
    onSaved()
    if (done === null) return
    showToast('success', messages.saved)
    await reloadSpaces()
  }
  const errorFor = (field: string) => {
    const text = errorOf(userErrors, field)
    return text === undefined ? {} : { error: text }
  }
  const zones = [...new Set([timezone, ...Intl.supportedValuesOf('timeZone')])].sort()
  return (
    <Panel title={messages.space}>
      <form
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
          disabled={!isOwner}
          required
          {...errorFor('name')}
        />
        <Select
          label={messages.timezone}
          value={timezone}
          options={zones.map(zone => ({ value: zone, label: zone }))}
          onValue={setTimezone}
          disabled={!isOwner}
          {...errorFor('timezone')}
        />
        <TextField
          label={messages.retention}
          hint={messages.retentionHint}
          type="number"
          min={1}
          inputMode="numeric"
          value={days}
          onValue={setDays}
          disabled={!mayManage(viewerRole)}
          {...errorFor('retentionDays')}
        />
        <FormErrors errors={userErrors} fields={['name', 'timezone', 'retentionDays']} />
        {error !== undefined && <p role="alert">{error.text}</p>}
        {mayManage(viewerRole) && (
          <div>
            <Button type="submit" variant="primary" isBusy={isRunning}>
              {messages.save}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  )
}

function SpaceEnd({ space }: { space: Space }) {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { run, isRunning, error, userErrors } = useMutation(DeleteSpaceDocument)
  const restore = async () => {
    await request(RestoreSpaceDocument, { input: { spaceId: space.id } })
    await reloadSpaces()
    navigate(`/spaces/${space.id}/board`)
  }
  const end = async () => {
    if ((await run({ input: { spaceId: space.id } })) === null) return
    showToast('info', messages.spaceDeleted(space.name), {
      label: messages.undo,
      onPress: () => void restore().catch(reason => showToast('error', asRequestError(reason).text)),
    })
    navigate('/')
    await reloadSpaces()
  }
  return (
    <Panel title={messages.deleteSpace}>
      <div class={styles.form}>
        <p class={styles.note}>{messages.deleteSpaceText}</p>
        <div>
          <Button variant="danger" icon="trash" onClick={() => setOpen(true)}>
            {messages.deleteSpace}
          </Button>
        </div>
      </div>
      {isOpen && (
        <Dialog
          title={messages.deleteSpace}
          description={messages.deleteSpaceText}
          size="small"
          onClose={() => setOpen(false)}
          footer={
            <Button
              variant="danger"
              isBusy={isRunning}
              disabled={typed !== space.name}
              onClick={() => void end()}
            >
              {messages.deleteSpace}
            </Button>
          }
        >
          <TextField
            label={messages.deleteType(space.name)}
            value={typed}
            onValue={setTyped}
            autoComplete="off"
          />
          <FormErrors errors={userErrors} />
          {error !== undefined && <p role="alert">{error.text}</p>}
        </Dialog>
      )}
    </Panel>
  )
}
