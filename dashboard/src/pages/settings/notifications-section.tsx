import { useEffect, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import type { DigestInterval, Severity } from '../../graphql/schema-types.generated.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { errorOf, FormErrors } from '../../ui/form-errors.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { severityText } from '../../ui/severity-badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import styles from './section.module.css'
import {
  type NotificationsFragment,
  SettingsNotificationsDocument,
  UpdateNotificationsDocument,
} from './settings.generated.ts'

const SEVERITIES: readonly Severity[] = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO']

/** What the person is told of in this space, and how. */
export function NotificationsSection() {
  const { id: spaceId } = useSpace()
  const { data, error, reload, update } = useQuery(SettingsNotificationsDocument, { spaceId })
  if (data === undefined)
    return error === undefined ? (
      <Skeleton rows={6} height={40} />
    ) : (
      <ErrorState text={error.text} onRetry={() => void reload()} />
    )
  return (
    <div class={styles.section}>
      <p class={styles.note}>
        {messages.watchesHint} <a href={`/spaces/${spaceId}/feed`}>{messages.watches}</a>
      </p>
      <SettingsForm
        settings={data.notificationSettings}
        onSaved={notificationSettings => update(() => ({ notificationSettings }))}
        onConflict={() => void reload()}
      />
    </div>
  )
}

function SettingsForm({
  settings,
  onSaved,
  onConflict,
}: {
  settings: NotificationsFragment
  onSaved: (settings: NotificationsFragment) => void
  onConflict: () => void
}) {
  const { id: spaceId, timezone } = useSpace()
  const [severities, setSeverities] = useState<readonly Severity[]>(settings.severities)
  const [minutes, setMinutes] = useState(String(settings.offlineAfterMinutes ?? ''))
  const [email, setEmail] = useState(settings.email)
  const [digest, setDigest] = useState<DigestInterval>(settings.digest)
  const [isQuiet, setQuiet] = useState(settings.quietHours !== null)
  const [from, setFrom] = useState(settings.quietHours?.from ?? '22:00')
  const [to, setTo] = useState(settings.quietHours?.to ?? '06:00')
  const [url, setUrl] = useState(settings.webhook?.url ?? '')
  const [secret, setSecret] = useState('')
  const { run, isRunning, error, userErrors } = useMutation(UpdateNotificationsDocument)
  useEffect(() => setSecret(''), [settings.version])
  const zone = settings.quietHours?.timezone ?? timezone

  const save = async () => {
    const webhook = url === '' ? null : { url, ...(secret !== '' && { secret }) }
    const data = await run({
      input: {
        ...{ spaceId, version: settings.version, severities: [...severities], email, digest, webhook },
        offlineAfterMinutes: minutes === '' ? null : Number(minutes),
        quietHours: isQuiet ? { from, to, timezone: zone } : null,
      },
    })
    const saved = data?.updateNotificationSettings.settings
    if (saved == null) return onConflict()
    onSaved(saved)
    showToast('success', messages.saved)
  }

  const errorFor = (field: string) => {
    const text = errorOf(userErrors, field)
    return text === undefined ? {} : { error: text }
  }
  return (
    <Panel title={messages.notifications}>
      <form
        class={styles.form}
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <fieldset class={styles.checks}>
          <legend>{messages.tellAbout}</legend>
          {SEVERITIES.map(severity => (
            <Checkbox
              key={severity}
              label={severityText(severity)}
              isChecked={severities.includes(severity)}
              onValue={isOn =>
                setSeverities(isOn ? [...severities, severity] : severities.filter(one => one !== severity))
              }
            />
          ))}
        </fieldset>
        <TextField
          label={messages.offlineAfter}
          hint={messages.offlineHint}
          type="number"
          min={1}
          inputMode="numeric"
          value={minutes}
          onValue={setMinutes}
          {...errorFor('offlineAfterMinutes')}
        />
        <Checkbox label={messages.byEmail} isChecked={email} onValue={setEmail} />
        <Select<DigestInterval>
          label={messages.digest}
          value={digest}
          options={[
            { value: 'OFF', label: messages.digestOff },
            { value: 'HOURLY', label: messages.digestHourly },
            { value: 'DAILY', label: messages.digestDaily },
          ]}
          onValue={setDigest}
        />
        <Checkbox
          label={messages.quietHours}
          hint={messages.quietHint(zone)}
          isChecked={isQuiet}
          onValue={setQuiet}
        />
        {isQuiet && (
          <div class={styles.pair}>
            <TextField
              label={messages.quietFrom}
              type="time"
              value={from}
              onValue={setFrom}
              {...errorFor('from')}
            />
            <TextField label={messages.quietTo} type="time" value={to} onValue={setTo} {...errorFor('to')} />
          </div>
        )}
        <TextField
          label={messages.webhookUrl}
          hint={messages.webhookHint}
          type="url"
          placeholder="https://"
          value={url}
          onValue={setUrl}
          isOptional
          {...errorFor('url')}
        />
        {url !== '' && (
          <TextField
            label={messages.webhookSecret}
            {...(settings.webhook?.secretSet && { hint: messages.webhookSecretSet })}
            type="password"
            autoComplete="off"
            value={secret}
            onValue={setSecret}
            isOptional
            {...errorFor('secret')}
          />
        )}
        <FormErrors errors={userErrors} fields={['offlineAfterMinutes', 'from', 'to', 'url', 'secret']} />
        {error !== undefined && <p role="alert">{error.text}</p>}
        <div>
          <Button type="submit" variant="primary" isBusy={isRunning}>
            {messages.save}
          </Button>
        </div>
      </form>
    </Panel>
  )
}
