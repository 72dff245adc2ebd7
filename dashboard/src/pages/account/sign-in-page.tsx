import { useEffect, useState } from 'preact/hooks'
import { navigate } from '../../app/router.ts'
import { asRequestError, type RequestError } from '../../graphql/request-error.ts'
import { sessionState, signIn } from '../../graphql/session.ts'
import type { UserProblem } from '../../graphql/user-problem.ts'
import { errorOf } from '../../ui/form-errors.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AccountForm } from './account-form.tsx'
import { messages } from './messages.ts'

/** Signs in and goes on to the page that was asked for. */
export function SignInPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const [userErrors, setUserErrors] = useState<readonly UserProblem[]>([])
  const isSignedIn = sessionState.value === 'signed-in'
  useEffect(() => {
    if (!isSignedIn) return
    navigate(placeAfter(new URLSearchParams(location.search).get('next') ?? '/'), { isReplacing: true })
  }, [isSignedIn])
  const submit = async () => {
    setRunning(true)
    setError(undefined)
    try {
      setUserErrors(await signIn(email, password))
    } catch (failure) {
      setError(asRequestError(failure))
    } finally {
      setRunning(false)
    }
  }
  return (
    <AccountForm
      title={messages.signIn}
      submitLabel={messages.signIn}
      isRunning={isRunning}
      error={error}
      userErrors={userErrors}
      fields={['email', 'password']}
      onSubmit={submit}
      links={
        <>
          <a href="/forgot-password">{messages.forgot}</a>
          <a href="/sign-up">{messages.noAccount}</a>
        </>
      }
    >
      <TextField
        label={messages.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onValue={setEmail}
        error={errorOf(userErrors, 'email')}
      />
      <TextField
        label={messages.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        error={errorOf(userErrors, 'password')}
      />
    </AccountForm>
  )
}

/** Where to go once signed in; the start page where `next` is no other page of ours. */
function placeAfter(next: string): string {
  const url = URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined
  const isOurs = url?.origin === location.origin && url.pathname !== location.pathname
  return isOurs ? url.pathname + url.search + location.hash : '/'
}
