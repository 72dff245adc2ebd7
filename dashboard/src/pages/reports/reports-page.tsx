import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** The reports of a space as plots and tables. */
export function ReportsPage() {
  return <PageHeader title={messages.title} />
}
