import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of /verify-email. */
export function VerifyEmailPage() {
  return <PageHeader title={messages.verifyEmail} />
}
