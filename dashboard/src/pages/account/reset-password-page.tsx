import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of /reset-password. */
export function ResetPasswordPage() {
  return <PageHeader title={messages.resetPassword} />
}
