import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of /forgot-password. */
export function ForgotPasswordPage() {
  return <PageHeader title={messages.forgotPassword} />
}
