import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core'
import type { ComponentChildren, Ref } from 'preact'
import { useImperativeHandle, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import styles from './virtual-list.module.css'

export type VirtualListHandle = {
  /** Brings an item into view, moving as little as needed. */
  scrollToKey: (key: string) => void
  scrollToEnd: () => void
}

/** How near the end counts as at the end, in px. */
const END_PX = 24

/**
 * List that renders what is in view alone. Items keep their place on screen when others are put before them. Heights are measured; `itemHeight`
 * is the estimate (exact ones make it smooth). With `followsEnd` it stays at the end while it is there (log tails).
 * Arrow keys, Home and End move `activeKey` when `onActive` is given.
 */
export function VirtualList<Item>({
  label,
  items,
  itemKey,
  itemHeight,
  render,
  overscan = 6,
  activeKey,
  onActive,
  onEndReached,
  onAtEnd,
  followsEnd = false,
  handle,
}: {
  label: string
  items: readonly Item[]
  itemKey: (item: Item) => string
  itemHeight: number | ((item: Item) => number)
  render: (item: Item, index: number) => ComponentChildren
  overscan?: number
  activeKey?: string
  onActive?: (key: string) => void
  /** Called when the last item comes near: load more. */
  onEndReached?: () => void
  onAtEnd?: (isAtEnd: boolean) => void
  followsEnd?: boolean
  handle?: Ref<VirtualListHandle>
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  const isAtEnd = useRef(true)
  const anchor = useRef<{ key: string; offset: number } | undefined>(undefined)
  const options: VirtualizerOptions<HTMLDivElement, HTMLElement> = {
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => {
      const item = items[index]
      if (typeof itemHeight === 'number') return itemHeight
      return item === undefined ? 0 : itemHeight(item)
    },
    getItemKey: index => {
      const item = items[index]
      return item === undefined ? index : itemKey(item)
    },
    overscan,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: rerender as () => void,
  }
  const [virtualizer] = useState(() => new Virtualizer(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())

  const firstKey = items[0] === undefined ? undefined : itemKey(items[0])
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (followsEnd && isAtEnd.current) {
      element.scrollTop = element.scrollHeight
      return
    }
    if (anchor.current === undefined) return
    const { key, offset } = anchor.current
    // Reckons the places anew with what was measured in this very render.
    virtualizer.getTotalSize()
    const index = items.findIndex(item => itemKey(item) === key)
    const start = index === -1 ? undefined : virtualizer.measurementsCache[index]?.start
    if (start !== undefined && element.scrollTop > 0) element.scrollTop = start + offset
  }, [firstKey, items.length])

  const shown = virtualizer.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1
  useLayoutEffect(() => {
    if (items.length > 0 && last >= items.length - 1 - overscan) onEndReached?.()
  }, [last, items.length])

  const remember = () => {
    const element = scroller.current
    if (element === null) return
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= END_PX
    if (atEnd !== isAtEnd.current) onAtEnd?.(atEnd)
    isAtEnd.current = atEnd
    const top = virtualizer.getVirtualItems().find(item => item.end > element.scrollTop)
    anchor.current =
      top === undefined ? undefined : { key: String(top.key), offset: element.scrollTop - top.start }
  }

  const show = (key: string) => {
    const index = items.findIndex(item => itemKey(item) === key)
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' })
  }
  useImperativeHandle(handle ?? null, () => ({
    scrollToKey: show,
    scrollToEnd: () => virtualizer.scrollToIndex(items.length - 1, { align: 'end' }),
  }))

  const move = (event: KeyboardEvent) => {
    if (onActive === undefined || items.length === 0 || event.target !== event.currentTarget) return
    const at = items.findIndex(item => itemKey(item) === activeKey)
    const to = {
      ArrowDown: Math.min(at + 1, items.length - 1),
      ArrowUp: Math.max(at - 1, 0),
      Home: 0,
      End: items.length - 1,
    }[event.key]
    const item = to === undefined ? undefined : items[to]
    if (item === undefined) return
    event.preventDefault()
    onActive(itemKey(item))
    show(itemKey(item))
  }

  return (
    <section
      ref={scroller}
      class={styles.scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      onScroll={remember}
      onKeyDown={move}
    >
      <ul class={styles.list} style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {shown.map(({ key, index, start }) => {
          const item = items[index]
          return item === undefined ? null : (
            <li
              key={key}
              ref={element => virtualizer.measureElement(element)}
              data-index={index}
              class={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              aria-current={activeKey !== undefined && activeKey === key ? 'true' : undefined}
            >
              {render(item, index)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
