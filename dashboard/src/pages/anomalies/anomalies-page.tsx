import { PageHeader } from '../../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Anomalies of a space, to be looked at one after the other. */
export function AnomaliesPage() {
  return <PageHeader title={messages.title} />
}
