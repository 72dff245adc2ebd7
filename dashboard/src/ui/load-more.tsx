import { Button } from './button.tsx'
import styles from './load-more.module.css'
import { uiMessages } from './messages.ts'

/** End of a list that comes in pages. */
export function LoadMore({
  hasMore,
  isLoading,
  onLoad,
}: {
  hasMore: boolean
  isLoading: boolean
  onLoad: () => void
}) {
  return (
    <div class={styles.more}>
      {hasMore ? (
        <Button variant="ghost" isBusy={isLoading} onClick={onLoad}>
          {uiMessages.loadMore}
        </Button>
      ) : (
        <span>{uiMessages.noMore}</span>
      )}
    </div>
  )
}
