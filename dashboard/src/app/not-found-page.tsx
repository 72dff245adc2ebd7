import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { messages } from './messages.ts'

/** Page of an address that leads nowhere. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title={messages.notFound} />
      <EmptyState icon="search" title={messages.notFoundText} action={<a href="/">{messages.toStart}</a>} />
    </>
  )
}
