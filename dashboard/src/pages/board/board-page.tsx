import { useEffect, useMemo } from 'preact/hooks'
import { navigate } from '../../app/router.ts'
import { useSpace } from '../../app/space-context.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ForbiddenState } from '../../ui/forbidden-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useBoardFilters } from './board-filters.ts'
import { BoardGrid } from './board-grid.tsx'
import styles from './board-page.module.css'
import { matches } from './board-rows.ts'
import { type BoardStore, openBoardStore } from './board-store.ts'
import { BoardSummary } from './board-summary.tsx'
import { BoardToolbar } from './board-toolbar.tsx'
import { messages } from './messages.ts'

/** The floor of a space, live: its lines, processes and devices. */
export function BoardPage() {
  const { id } = useSpace()
  const store = useMemo(() => openBoardStore(id), [id])
  useEffect(() => () => store.close(), [store])
  return (
    <div class={styles.page}>
      <PageHeader
        title={messages.title}
        actions={
          <a class={styles.kiosk} href={`/spaces/${id}/kiosk`}>
            <Icon name="monitor" /> {messages.kiosk}
          </a>
        }
      />
      <Floor store={store} spaceId={id} />
    </div>
  )
}

function Floor({ store, spaceId }: { store: BoardStore; spaceId: string }) {
  const board = useBoardFilters()
  const { viewerRole } = useSpace()
  const error = store.error.value
  if (error?.code === 'NOT_FOUND' || error?.code === 'FORBIDDEN') return <ForbiddenState />
  if (!store.isLoaded.value) {
    if (error !== undefined) return <ErrorState text={error.text} onRetry={() => void store.load()} />
    return <Skeleton rows={8} height={76} />
  }
  const mayRegister = viewerRole === 'OWNER' || viewerRole === 'ADMIN'
  if (isEmpty(store))
    return (
      <EmptyState
        icon="device"
        title={messages.emptyTitle}
        text={messages.emptyText}
        action={
          mayRegister && (
            <Button variant="primary" onClick={() => navigate(`/spaces/${spaceId}/settings?tab=devices`)}>
              {messages.register}
            </Button>
          )
        }
      />
    )
  return (
    <>
      <BoardSummary store={store} />
      <BoardToolbar topology={store.topology.value} board={board} />
      {error !== undefined && (
        <p class={styles.stale} role="alert">
          <Icon name="alert" /> {messages.staleError}: {error.text}
        </p>
      )}
      <Match store={store} board={board} spaceId={spaceId} />
    </>
  )
}

function Match({
  store,
  board,
  spaceId,
}: {
  store: BoardStore
  board: ReturnType<typeof useBoardFilters>
  spaceId: string
}) {
  store.version.value
  const { filters, density } = board
  for (const device of store.all())
    if (matches(device, filters))
      return <BoardGrid store={store} spaceId={spaceId} filters={filters} density={density} />
  return (
    <EmptyState
      icon="search"
      title={messages.noMatchTitle}
      text={messages.noMatchText}
      action={<Button onClick={() => navigate(`/spaces/${spaceId}/board`)}>{messages.clearFilters}</Button>}
    />
  )
}

function isEmpty(store: BoardStore): boolean {
  store.version.value
  for (const _ of store.all()) return false
  return true
}
