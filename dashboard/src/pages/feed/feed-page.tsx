import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** What happened at what the person watches. */
export function FeedPage() {
  return <PageHeader title={messages.title} />
}
