import { useState } from 'preact/hooks'
import { reloadSpaces } from '../../app/product-session.ts'
import { navigate } from '../../app/router.ts'
import { viewer } from '../../graphql/session.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { errorOf } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CreateSpaceDocument } from './account.generated.ts'
import { AccountForm } from './account-form.tsx'
import { messages } from './messages.ts'

/** Makes a space, in the zone of the browser unless another is chosen. */
export function WelcomePage() {
  const [name, setName] = useState('')
  const [timezone, setTimezone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  const { run, isRunning, error, userErrors } = useMutation(CreateSpaceDocument)
  const zones = [...new Set([timezone, ...Intl.supportedValuesOf('timeZone')])].sort()
  const submit = async () => {
    const space = (await run({ input: { name, timezone } }))?.createSpace.space
    if (space === undefined || space === null) return
    await reloadSpaces()
    navigate(`/spaces/${encodeURIComponent(space.id)}/board`, { isReplacing: true })
  }
  return (
    <AccountForm
      title={messages.welcome}
      text={messages.welcomeText}
      submitLabel={messages.create}
      isRunning={isRunning}
      error={error}
      userErrors={userErrors}
      fields={['name', 'timezone']}
      onSubmit={submit}
      links={
        viewer.value?.emailVerified === false && (
          <a href={`/verify-email?email=${encodeURIComponent(viewer.value.email)}`}>{messages.verifyEmail}</a>
        )
      }
    >
      <TextField
        label={messages.spaceName}
        value={name}
        onValue={setName}
        error={errorOf(userErrors, 'name')}
      />
      <Select
        label={messages.timezone}
        value={timezone}
        onValue={setTimezone}
        options={zones.map(zone => ({ value: zone, label: zone }))}
        error={errorOf(userErrors, 'timezone')}
      />
    </AccountForm>
  )
}
