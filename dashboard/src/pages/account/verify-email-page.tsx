import { useState } from 'preact/hooks'
import { navigate } from '../../app/router.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { errorOf } from '../../ui/form-errors.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ResendVerificationDocument, VerifyEmailDocument } from './account.generated.ts'
import { AccountForm } from './account-form.tsx'
import { messages } from './messages.ts'

/** Takes the code that was mailed to an address. */
export function VerifyEmailPage() {
  const [email, setEmail] = useState(() => new URLSearchParams(location.search).get('email') ?? '')
  const [code, setCode] = useState('')
  const { run, isRunning, error, userErrors } = useMutation(VerifyEmailDocument)
  const resend = useMutation(ResendVerificationDocument)
  const submit = async () => {
    if ((await run({ input: { email, code: code.trim() } })) === null) return
    showToast('success', messages.verified)
    navigate('/sign-in', { isReplacing: true })
  }
  const sendAgain = async () => {
    if ((await resend.run({ input: { email } })) !== null) showToast('info', messages.resent)
  }
  return (
    <AccountForm
      title={messages.verifyEmail}
      text={messages.verifyText}
      submitLabel={messages.verify}
      isRunning={isRunning}
      error={error ?? resend.error}
      userErrors={[...userErrors, ...resend.userErrors]}
      fields={['email', 'code']}
      onSubmit={submit}
      links={
        <>
          <Button size="small" isBusy={resend.isRunning} onClick={sendAgain}>
            {messages.resend}
          </Button>
          <a href="/sign-in">{messages.haveAccount}</a>
        </>
      }
    >
      <TextField
        label={messages.email}
        type="email"
        autoComplete="username"
        value={email}
        onValue={setEmail}
        error={errorOf([...userErrors, ...resend.userErrors], 'email')}
      />
      <TextField
        label={messages.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={code}
        onValue={setCode}
        error={errorOf(userErrors, 'code')}
      />
    </AccountForm>
  )
}
