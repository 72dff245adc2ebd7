import { useSpace } from '../../app/space-context.ts'
import { usePages } from '../../graphql/use-pages.ts'
import { formatDateTime } from '../../i18n/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { messages } from './messages.ts'
import styles from './section.module.css'
import { SettingsAuditDocument } from './settings.generated.ts'

/** Who changed what in the space. */
export function AuditSection() {
  const { id: spaceId, timezone } = useSpace()
  const pages = usePages(SettingsAuditDocument, { spaceId }, ({ auditLog }) => auditLog)
  if (!pages.isLoaded)
    return pages.error === undefined ? (
      <Skeleton rows={8} height={36} />
    ) : (
      <ErrorState text={pages.error.text} onRetry={() => void pages.reload()} />
    )
  if (pages.nodes.length === 0) return <EmptyState icon="clock" title={messages.noChanges} />
  return (
    <div class={styles.section}>
      <Panel isFlush>
        <Table
          caption={messages.audit}
          rows={pages.nodes}
          rowKey={entry => entry.id}
          columns={[
            {
              key: 'when',
              label: messages.when,
              isRowHeader: true,
              render: ({ occurredAt }) => formatDateTime(occurredAt, timezone),
            },
            { key: 'who', label: messages.who, render: ({ actor }) => actor?.name ?? messages.system },
            { key: 'what', label: messages.what, render: ({ action }) => <code>{action}</code> },
            {
              key: 'which',
              label: messages.which,
              render: ({ targetName, targetType }) => targetName ?? targetType,
            },
          ]}
        />
      </Panel>
      <LoadMore hasMore={pages.hasMore} isLoading={pages.isLoading} onLoad={() => void pages.loadMore()} />
    </div>
  )
}
