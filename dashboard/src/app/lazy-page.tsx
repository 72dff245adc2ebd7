import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export type Page = ComponentType

/** Page that is loaded when it is first shown. A load that failed can be tried again. */
export function lazyPage(load: () => Promise<Page>): Page {
  let loaded: Page | undefined
  return function LazyPage() {
    const [, show] = useState<Page | undefined>(undefined)
    const [isFailed, setFailed] = useState(false)
    useEffect(() => {
      if (loaded !== undefined || isFailed) return
      let isGone = false
      load().then(
        page => {
          loaded = page
          if (!isGone) show(() => page)
        },
        () => {
          if (!isGone) setFailed(true)
        },
      )
      return () => {
        isGone = true
      }
    }, [isFailed])
    if (loaded !== undefined) {
      const Loaded = loaded
      return <Loaded />
    }
    return isFailed ? <ErrorState onRetry={() => setFailed(false)} /> : <Skeleton rows={6} height={32} />
  }
}
