import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** The floor on a wall: lines in turn, nothing to press. */
export function KioskPage() {
  return <PageHeader title={messages.title} />
}
