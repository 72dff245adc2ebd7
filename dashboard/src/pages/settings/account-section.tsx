import { useState } from 'preact/hooks'
import { asRequestError } from '../../graphql/request-error.ts'
import { signOut, viewer } from '../../graphql/session.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { errorOf, FormErrors } from '../../ui/form-errors.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import styles from './section.module.css'
import { ChangePasswordDocument } from './settings.generated.ts'

/** The person's own password and sessions. */
export function AccountSection() {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const { run, isRunning, error, userErrors } = useMutation(ChangePasswordDocument)
  const change = async () => {
    if ((await run({ input: { currentPassword, newPassword } })) === null) return
    setCurrent('')
    setNew('')
    showToast('success', messages.passwordChanged)
  }
  const signOutEverywhere = async () => {
    try {
      await signOut({ everywhere: true })
    } catch (reason) {
      showToast('error', asRequestError(reason).text)
    }
  }
  const wrong = errorOf(userErrors, 'currentPassword')
  const weak = errorOf(userErrors, 'newPassword')
  return (
    <div class={styles.section}>
      <Panel title={messages.password}>
        <form
          class={styles.form}
          onSubmit={event => {
            event.preventDefault()
            void change()
          }}
        >
          <input type="hidden" autoComplete="username" value={viewer.value?.email ?? ''} />
          <TextField
            label={messages.currentPassword}
            type="password"
            autoComplete="current-password"
            required
            value={currentPassword}
            onValue={setCurrent}
            {...(wrong !== undefined && { error: wrong })}
          />
          <TextField
            label={messages.newPassword}
            hint={messages.newPasswordHint}
            type="password"
            autoComplete="new-password"
            required
            value={newPassword}
            onValue={setNew}
            {...(weak !== undefined && { error: weak })}
          />
          <FormErrors errors={userErrors} fields={['currentPassword', 'newPassword']} />
          {error !== undefined && <p role="alert">{error.text}</p>}
          <div>
            <Button type="submit" variant="primary" isBusy={isRunning}>
              {messages.changePassword}
            </Button>
          </div>
        </form>
      </Panel>
      <Panel title={messages.sessions}>
        <div class={styles.form}>
          <p class={styles.note}>{messages.sessionsText}</p>
          <div>
            <Button variant="danger" icon="signOut" onClick={() => void signOutEverywhere()}>
              {messages.signOutEverywhere}
            </Button>
          </div>
        </div>
      </Panel>
    </div>
  )
}
