import { useState } from 'preact/hooks'
import { navigate } from '../../app/router.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { errorOf } from '../../ui/form-errors.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ResetPasswordDocument } from './account.generated.ts'
import { AccountForm } from './account-form.tsx'
import { messages } from './messages.ts'
import { tokenOfLink } from './token-of-link.ts'

/** Sets a new password with the token of a mail. */
export function ResetPasswordPage() {
  const [token] = useState(() => tokenOfLink(location.hash))
  const [newPassword, setPassword] = useState('')
  const { run, isRunning, error, userErrors } = useMutation(ResetPasswordDocument)
  if (token === undefined)
    return (
      <>
        <PageHeader title={messages.resetPassword} />
        <ErrorState title={messages.noToken} />
      </>
    )
  const submit = async () => {
    if ((await run({ input: { token, newPassword } })) === null) return
    showToast('success', messages.changed)
    navigate('/sign-in', { isReplacing: true })
  }
  return (
    <AccountForm
      title={messages.resetPassword}
      submitLabel={messages.save}
      isRunning={isRunning}
      error={error}
      userErrors={userErrors}
      fields={['newPassword']}
      onSubmit={submit}
    >
      <TextField
        label={messages.newPassword}
        hint={messages.passwordHint}
        type="password"
        autoComplete="new-password"
        value={newPassword}
        onValue={setPassword}
        error={errorOf(userErrors, 'newPassword')}
      />
    </AccountForm>
  )
}
