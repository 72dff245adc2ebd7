import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** One device: what it says now, and what it said. */
export function DevicePage() {
  return <PageHeader title={messages.title} />
}
