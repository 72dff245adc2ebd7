import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** What is dragged: a line, or a process. */
export interface Dragged extends Record<string, unknown> {
  readonly kind: 'line' | 'process'
  readonly id: string
}

/** Makes an element something that is dragged by its handle and something that others of `accepts` are dropped on. */
export function useDraggable({
  item,
  accepts,
  isEnabled,
  onDrop,
}: {
  item: Dragged
  accepts: readonly Dragged['kind'][]
  isEnabled: boolean
  onDrop: (dropped: Dragged) => void
}): {
  element: RefObject<HTMLLIElement | null>
  handle: RefObject<HTMLSpanElement | null>
  isDragged: boolean
  isOver: boolean
} {
  const element = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isDragged, setDragged] = useState(false)
  const [isOver, setOver] = useState(false)
  const latest = useRef(onDrop)
  latest.current = onDrop
  useEffect(() => {
    if (element.current === null || handle.current === null || !isEnabled) return undefined
    return combine(
      draggable({
        element: element.current,
        dragHandle: handle.current,
        getInitialData: () => item,
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: element.current,
        canDrop: ({ source: { data } }) => {
          const dragged = data as Dragged
          return accepts.includes(dragged.kind) && dragged.id !== item.id
        },
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source, location }) => {
          setOver(false)
          // Of targets within each other the inner one takes it.
          if (location.current.dropTargets[0]?.element === element.current)
            latest.current(source.data as Dragged)
        },
      }),
    )
  }, [item.id, isEnabled])
  return { element, handle, isDragged, isOver }
}
