import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of /sign-up. */
export function SignUpPage() {
  return <PageHeader title={messages.signUp} />
}
