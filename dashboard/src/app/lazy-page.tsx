import type { ComponentChild, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Skeleton } from '../ui/skeleton.tsx'
import { MissingPart } from './missing-part.tsx'

/** Page, or a large part of one, that is loaded when it is first shown; `waiting` stands there until then. */
export function lazyPage<Props extends object = object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ComponentChild = <Skeleton rows={6} height={32} />,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function LazyPage(props: Props) {
    const [, show] = useState<ComponentType<Props> | undefined>(undefined)
    const [isFailed, setFailed] = useState(false)
    useEffect(() => {
      if (loaded !== undefined) return
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
    }, [])
    if (loaded !== undefined) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    return isFailed ? <MissingPart /> : waiting
  }
}
