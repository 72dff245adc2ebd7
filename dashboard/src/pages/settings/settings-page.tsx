import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** What admins and members set in a space. */
export function SettingsPage() {
  return <PageHeader title={messages.title} />
}
