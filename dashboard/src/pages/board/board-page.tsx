import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** The floor of a space, live: its lines, processes and devices. */
export function BoardPage() {
  return <PageHeader title={messages.title} />
}
