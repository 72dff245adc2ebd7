import { useState } from 'preact/hooks'
import { useMutation } from '../../graphql/use-mutation.ts'
import { errorOf } from '../../ui/form-errors.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { RequestPasswordResetDocument } from './account.generated.ts'
import { AccountForm } from './account-form.tsx'
import { messages } from './messages.ts'

/** Asks for a mail with a link to set a new password. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const { run, isRunning, error, userErrors } = useMutation(RequestPasswordResetDocument)
  const submit = async () => {
    if ((await run({ input: { email } })) !== null) showToast('info', messages.sent)
  }
  return (
    <AccountForm
      title={messages.forgotPassword}
      text={messages.forgotText}
      submitLabel={messages.send}
      isRunning={isRunning}
      error={error}
      userErrors={userErrors}
      fields={['email']}
      onSubmit={submit}
      links={<a href="/sign-in">{messages.haveAccount}</a>}
    >
      <TextField
        label={messages.email}
        type="email"
        autoComplete="username"
        value={email}
        onValue={setEmail}
        error={errorOf(userErrors, 'email')}
      />
    </AccountForm>
  )
}
