import { useState } from 'preact/hooks'
import { reloadSpaces } from '../../app/product-session.ts'
import { navigate } from '../../app/router.ts'
import { sessionState } from '../../graphql/session.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { AcceptInvitationDocument } from './account.generated.ts'
import styles from './account-form.module.css'
import { AccountForm } from './account-form.tsx'
import { messages } from './messages.ts'
import { tokenOfLink } from './token-of-link.ts'

/** Takes the person into the space of an invitation, once they are signed in. The token never leaves the fragment. */
export function InvitationPage() {
  const [token] = useState(() => tokenOfLink(location.hash))
  const { run, isRunning, error, userErrors } = useMutation(AcceptInvitationDocument)
  if (token === undefined)
    return (
      <>
        <PageHeader title={messages.invitation} />
        <ErrorState title={messages.noToken} />
      </>
    )
  if (sessionState.value === 'starting') return <Skeleton rows={3} height={28} />
  if (sessionState.value === 'signed-out')
    return (
      <>
        <PageHeader title={messages.invitation} description={messages.invitationSignIn} />
        <p class={styles.links}>
          <a href={`/sign-in?next=/invitation#token=${encodeURIComponent(token)}`}>{messages.signIn}</a>
          <a href="/sign-up">{messages.noAccount}</a>
        </p>
      </>
    )
  const submit = async () => {
    const space = (await run({ input: { token } }))?.acceptInvitation.space
    if (space === undefined || space === null) return
    await reloadSpaces()
    showToast('success', messages.joined(space.name))
    navigate(`/spaces/${encodeURIComponent(space.id)}/board`, { isReplacing: true })
  }
  return (
    <AccountForm
      title={messages.invitation}
      text={messages.invitationText}
      submitLabel={messages.accept}
      isRunning={isRunning}
      error={error}
      userErrors={userErrors}
      onSubmit={submit}
    />
  )
}
