import { useEffect, useRef } from 'preact/hooks'
import { navigate } from '../../app/router.ts'
import { useSpace } from '../../app/space-context.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ForbiddenState } from '../../ui/forbidden-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import type { AnomalyActions } from './anomaly-actions.ts'
import styles from './anomaly-list-pane.module.css'
import { AnomalyRowView, ROW_PX } from './anomaly-row-view.tsx'
import type { AnomalyStore } from './anomaly-store.ts'
import { messages } from './messages.ts'

/** The list and its head. New rows wait while somebody is at a row, has the pointer over the list, or has scrolled. */
export function AnomalyListPane({
  store,
  actions,
  mayWork,
  activeId,
  selected,
  setSelected,
  isFiltered,
  onActive,
  onOpen,
}: {
  store: AnomalyStore
  actions: AnomalyActions
  mayWork: boolean
  activeId: string
  selected: ReadonlySet<string>
  setSelected: (ids: ReadonlySet<string>) => void
  isFiltered: boolean
  onActive: (id: string) => void
  onOpen: (id: string) => void
}) {
  const { id: spaceId } = useSpace()
  const handle = useRef<VirtualListHandle>(null)
  const busy = useRef({ isPointed: false, isScrolled: false })
  const rows = store.rows.value
  const waiting = store.waitingCount.value

  function holdOrShow(): void {
    const isHeld = activeId !== '' || busy.current.isPointed || busy.current.isScrolled
    store.hold(isHeld)
    if (!isHeld) store.showWaiting()
  }
  useEffect(holdOrShow, [activeId, store])
  useEffect(() => {
    if (activeId !== '') handle.current?.scrollToKey(activeId)
  }, [activeId])

  const error = store.error.value
  if (!store.isLoaded.value) {
    if (error?.code === 'FORBIDDEN' || error?.code === 'NOT_FOUND') return <ForbiddenState />
    if (error !== undefined) return <ErrorState text={error.text} onRetry={() => void store.load()} />
    return <Skeleton rows={8} height={ROW_PX} gap={1} />
  }

  const chosen = rows.filter(({ id }) => selected.has(id))
  const open = chosen.filter(({ status }) => status === 'OPEN')
  const hasPast = rows.some(row => store.isPast(row))
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(selected)
    if (isSelected) next.add(id)
    else next.delete(id)
    setSelected(next)
  }
  return (
    <div
      class={styles.pane}
      onPointerEnter={event => {
        busy.current.isPointed = event.pointerType === 'mouse'
        holdOrShow()
      }}
      onPointerLeave={() => {
        busy.current.isPointed = false
        holdOrShow()
      }}
      onScrollCapture={event => {
        busy.current.isScrolled = (event.target as Element).scrollTop > 0
        holdOrShow()
      }}
    >
      {rows.length > 0 && (
        <div class={styles.head}>
          {mayWork && (
            <Checkbox
              label={messages.selectAll}
              isLabelHidden
              isChecked={chosen.length > 0 && chosen.length === rows.length}
              isMixed={chosen.length > 0 && chosen.length < rows.length}
              onValue={isAll => setSelected(new Set(isAll ? rows.map(({ id }) => id) : []))}
            />
          )}
          {chosen.length > 0 ? (
            <>
              <span>{messages.selected(chosen.length)}</span>
              <Button
                size="small"
                variant="primary"
                icon="eye"
                disabled={open.length === 0}
                isBusy={open.some(({ id }) => actions.pending.value.has(id))}
                onClick={() => void actions.acknowledge(open)}
              >
                {messages.acknowledgeMany(open.length)}
              </Button>
              <Button size="small" variant="ghost" onClick={() => setSelected(new Set())}>
                {messages.clearSelection}
              </Button>
            </>
          ) : (
            <span class={styles.hint}>{mayWork ? messages.keysHint : messages.keysHintViewer}</span>
          )}
          {hasPast && (
            <span class={styles.tidy}>
              <Button size="small" variant="ghost" icon="archive" onClick={store.tidy}>
                {messages.tidy}
              </Button>
            </span>
          )}
        </div>
      )}
      {error !== undefined && (
        <p class={styles.stale} role="alert">
          {error.text}{' '}
          <Button size="small" onClick={() => void store.load()}>
            {messages.tryAgain}
          </Button>
        </p>
      )}
      <div class={styles.body}>
        <div class={styles.news} role="status">
          {waiting > 0 && (
            <Button
              size="small"
              variant="primary"
              icon="arrowUp"
              onClick={() => {
                store.showWaiting()
                const [first] = store.rows.peek()
                if (first !== undefined) requestAnimationFrame(() => handle.current?.scrollToKey(first.id))
              }}
            >
              {messages.newOnes(waiting)}
            </Button>
          )}
        </div>
        {rows.length === 0 ? (
          <EmptyState
            icon={isFiltered ? 'search' : 'check'}
            title={isFiltered ? messages.noMatchTitle : messages.emptyTitle}
            text={isFiltered ? messages.noMatchText : messages.emptyText}
            action={
              isFiltered && (
                <Button onClick={() => navigate(`/spaces/${spaceId}/anomalies`)}>
                  {messages.clearFilters}
                </Button>
              )
            }
          />
        ) : (
          <VirtualList
            label={messages.list}
            items={rows}
            itemKey={row => row.id}
            itemHeight={ROW_PX}
            activeKey={activeId}
            onActive={onActive}
            onEndReached={() => void store.loadMore()}
            handle={handle}
            render={row => (
              <AnomalyRowView
                row={row}
                pending={actions.pending.value.get(row.id)}
                note={actions.notes.value.get(row.id)}
                isPast={store.isPast(row)}
                isSelected={selected.has(row.id)}
                onSelect={mayWork ? isSelected => select(row.id, isSelected) : undefined}
                onOpen={() => onOpen(row.id)}
              />
            )}
          />
        )}
      </div>
    </div>
  )
}
