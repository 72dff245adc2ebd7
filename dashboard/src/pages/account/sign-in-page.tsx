import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of /sign-in. */
export function SignInPage() {
  return <PageHeader title={messages.signIn} />
}
