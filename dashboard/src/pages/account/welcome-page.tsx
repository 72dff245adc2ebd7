import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of /welcome. */
export function WelcomePage() {
  return <PageHeader title={messages.welcome} />
}
