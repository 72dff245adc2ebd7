import type { ComponentChildren } from 'preact'
import type { QueryState } from '../../graphql/use-query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ForbiddenState } from '../../ui/forbidden-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { messages } from './messages.ts'
import styles from './report-panel.module.css'

/** A report in whichever state it is: loading, failed, without rows, or there. What is there stays while the next loads. */
export function ReportView<Data>({
  query,
  isEmpty,
  children,
}: {
  query: QueryState<Data>
  isEmpty: (data: Data) => boolean
  children: (data: Data) => ComponentChildren
}) {
  const { data, error, isLoading, reload } = query
  if (error?.code === 'FORBIDDEN' || error?.code === 'NOT_FOUND') return <ForbiddenState />
  if (error !== undefined && !isLoading)
    return error.code === 'BAD_USER_INPUT' ? (
      <EmptyState icon="calendar" title={messages.tooLarge} text={error.text} />
    ) : (
      <ErrorState text={error.text} onRetry={() => void reload()} />
    )
  if (data === undefined) return <Skeleton rows={6} height={48} />
  if (isEmpty(data)) return <EmptyState icon="report" title={messages.noRows} text={messages.noRowsText} />
  return (
    <div class={isLoading ? `${styles.view} ${styles.busy}` : styles.view} aria-busy={isLoading}>
      {children(data)}
    </div>
  )
}
