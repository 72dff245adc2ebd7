import { useState } from 'preact/hooks'
import { navigate } from '../../app/router.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { language } from '../../i18n/language.ts'
import { errorOf } from '../../ui/form-errors.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SignUpDocument } from './account.generated.ts'
import { AccountForm } from './account-form.tsx'
import { messages } from './messages.ts'

/** Makes an account, then asks for the code that was mailed. */
export function SignUpPage() {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { run, isRunning, error, userErrors } = useMutation(SignUpDocument)
  const submit = async () => {
    const locale = language.value === 'ko' ? 'KO' : 'EN'
    const data = await run({ input: { name, email, password, locale } })
    if (data !== null) navigate(`/verify-email?email=${encodeURIComponent(email)}`)
  }
  return (
    <AccountForm
      title={messages.signUp}
      submitLabel={messages.create}
      isRunning={isRunning}
      error={error}
      userErrors={userErrors}
      fields={['name', 'email', 'password']}
      onSubmit={submit}
      links={<a href="/sign-in">{messages.haveAccount}</a>}
    >
      <TextField
        label={messages.name}
        autoComplete="name"
        value={name}
        onValue={setName}
        error={errorOf(userErrors, 'name')}
      />
      <TextField
        label={messages.email}
        type="email"
        autoComplete="username"
        value={email}
        onValue={setEmail}
        error={errorOf(userErrors, 'email')}
      />
      <TextField
        label={messages.password}
        hint={messages.passwordHint}
        type="password"
        autoComplete="new-password"
        value={password}
        onValue={setPassword}
        error={errorOf(userErrors, 'password')}
      />
    </AccountForm>
  )
}
