import { useRef } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { WatchDocument, WatchesDocument } from './feed.generated.ts'
import { FeedItemView } from './feed-item-view.tsx'
import styles from './feed-page.module.css'
import { messages } from './messages.ts'
import { useFeed } from './use-feed.ts'
import { changeWatch, WatchesPanel } from './watches-panel.tsx'

/** What happened at what the person watches, and what that is. */
export function FeedPage() {
  const feed = useFeed()
  const watches = useQuery(WatchesDocument, {})
  const onChanged = () => {
    void watches.reload()
    void feed.reload()
  }
  return (
    <div class={styles.page}>
      <PageHeader title={messages.title} description={messages.description} />
      <div class={styles.panes}>
        <div class={styles.feed}>
          <Items feed={feed} watchCount={watches.data?.watches.length} onChanged={onChanged} />
        </div>
        <div class={styles.side}>
          <WatchesPanel watches={watches} onChanged={onChanged} />
        </div>
      </div>
    </div>
  )
}

function Items({
  feed,
  watchCount,
  onChanged,
}: {
  feed: ReturnType<typeof useFeed>
  watchCount: number | undefined
  onChanged: () => void
}) {
  const { id: spaceId } = useSpace()
  const handle = useRef<VirtualListHandle>(null)
  const busy = useRef({ isPointed: false, isScrolled: false, isFocused: false })
  const say = (change: Partial<typeof busy.current>) => {
    Object.assign(busy.current, change)
    feed.hold(Object.values(busy.current).some(Boolean))
  }
  if (!feed.isLoaded)
    return feed.error === undefined ? (
      <Skeleton rows={6} height={84} gap={1} />
    ) : (
      <ErrorState text={feed.error.text} onRetry={() => void feed.reload()} />
    )
  if (feed.items.length === 0) {
    if (watchCount !== 0)
      return <EmptyState icon="feed" title={messages.emptyTitle} text={messages.emptyText} />
    const watchSpace = () =>
      void changeWatch(WatchDocument, { kind: 'SPACE', id: spaceId }).then(isDone => isDone && onChanged())
    return (
      <EmptyState
        icon="bell"
        title={messages.nothingWatchedTitle}
        text={messages.nothingWatchedText}
        action={
          <Button variant="primary" icon="eye" onClick={watchSpace}>
            {messages.watchSpace}
          </Button>
        }
      />
    )
  }
  return (
    <div
      class={styles.items}
      onPointerEnter={event => say({ isPointed: event.pointerType === 'mouse' })}
      onPointerLeave={() => say({ isPointed: false })}
      onFocusCapture={() => say({ isFocused: true })}
      onBlurCapture={() => say({ isFocused: false })}
      onScrollCapture={event => say({ isScrolled: (event.target as Element).scrollTop > 0 })}
    >
      <div class={styles.news} role="status">
        {feed.waiting.length > 0 && (
          <Button
            size="small"
            variant="primary"
            icon="arrowUp"
            onClick={() => {
              const [first] = feed.waiting
              feed.showWaiting()
              if (first !== undefined) requestAnimationFrame(() => handle.current?.scrollToKey(first.id))
            }}
          >
            {messages.newOnes(feed.waiting.length)}
          </Button>
        )}
      </div>
      <VirtualList
        label={messages.items}
        items={feed.items}
        itemKey={item => item.id}
        itemHeight={84}
        handle={handle}
        onEndReached={() => void feed.loadMore()}
        render={item => <FeedItemView item={item} />}
      />
    </div>
  )
}
