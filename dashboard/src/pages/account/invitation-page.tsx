import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of /invitation. */
export function InvitationPage() {
  return <PageHeader title={messages.invitation} />
}
