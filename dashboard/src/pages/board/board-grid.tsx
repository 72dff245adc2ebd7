import { computed, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { navigate } from '../../app/router.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import type { BoardDensity, BoardFilters } from './board-filters.ts'
import styles from './board-grid.module.css'
import { type BoardRow, isSameLayout, layOut } from './board-rows.ts'
import type { BoardStore } from './board-store.ts'
import { DeviceTile } from './device-tile.tsx'
import { LineHead } from './line-head.tsx'
import { messages } from './messages.ts'
import { nextTile } from './next-tile.ts'

/** Least width of a tile and height of its row, gap included, in px. */
const TILES = { comfortable: { width: 172, height: 92 }, dense: { width: 132, height: 40 } } as const

const GAP = 8

const HEIGHTS = { line: 48, process: 28 } as const

/**
 * The tiles of all devices that match. Only rows in view are drawn; they are laid out anew when that changes which device
 * stands where, and each tile redraws itself. Arrow keys go from tile to tile, Enter opens one.
 */
export function BoardGrid({
  store,
  spaceId,
  filters,
  density,
}: {
  store: BoardStore
  spaceId: string
  filters: BoardFilters
  density: BoardDensity
}) {
  const frame = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualListHandle>(null)
  const active = useSignal<string | undefined>(undefined)
  const layout = useMemo(() => {
    const wanted = signal({ filters, density })
    const width = signal(0)
    const collapsed = signal<ReadonlySet<string>>(new Set())
    let last: readonly BoardRow[] = []
    const rows = computed(() => {
      store.version.value
      const columns = Math.max(1, Math.floor((width.value + GAP) / (TILES[wanted.value.density].width + GAP)))
      const next = layOut(store.all(), store.topology.value, wanted.value.filters, {
        ...{ columns, collapsed: collapsed.value },
      })
      if (!isSameLayout(last, next)) last = next
      return last
    })
    return { wanted, width, collapsed, rows }
  }, [store])

  const key = JSON.stringify({ filters, density })
  useEffect(() => {
    layout.wanted.value = { filters, density }
  }, [layout, key])

  useEffect(() => {
    if (frame.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      layout.width.value = entry?.contentRect.width ?? 0
    })
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [layout])

  const rows = layout.rows.value
  const ids = rows.flatMap(row => (row.kind === 'tiles' ? row.deviceIds : []))
  const activeId = active.value !== undefined && ids.includes(active.value) ? active.value : ids[0]

  const toggle = (lineKey: string) => {
    const next = new Set(layout.collapsed.peek())
    if (!next.delete(lineKey)) next.add(lineKey)
    layout.collapsed.value = next
  }

  const move = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.device === undefined) return
    const next = nextTile(rows, event.target.dataset.device, event.key)
    if (next === undefined) return
    event.preventDefault()
    active.value = next.deviceId
    list.current?.scrollToKey(next.rowKey)
    if (focusTile(frame.current, next.deviceId)) return
    // It has to be drawn first.
    requestAnimationFrame(() => focusTile(frame.current, next.deviceId))
  }

  const open = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget || activeId === undefined) return
    navigate(`/spaces/${spaceId}/devices/${activeId}`)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tiles within are links; arrow keys go between them.
    <div
      ref={frame}
      class={styles.grid}
      data-density={density}
      onKeyDown={event => {
        move(event)
        open(event)
      }}
      onFocusIn={event => {
        if (event.target instanceof HTMLElement && event.target.dataset.device !== undefined)
          active.value = event.target.dataset.device
      }}
    >
      <VirtualList
        label={messages.floor}
        items={rows}
        itemKey={row => row.key}
        itemHeight={row => (row.kind === 'tiles' ? TILES[density].height : HEIGHTS[row.kind])}
        handle={list}
        render={row => {
          if (row.kind === 'line')
            return (
              <div class={styles.line}>
                <LineHead
                  store={store}
                  line={row.line}
                  deviceIds={row.deviceIds}
                  isCollapsed={row.isCollapsed}
                  onToggle={() => toggle(row.key)}
                />
              </div>
            )
          if (row.kind === 'process')
            return <h3 class={styles.process}>{row.process?.name ?? messages.noProcess}</h3>
          return (
            <div
              class={styles.tiles}
              style={{ gridTemplateColumns: `repeat(auto-fill, minmax(${TILES[density].width}px, 1fr))` }}
            >
              {row.deviceIds.map(id => {
                const device = store.device(id)
                return (
                  device !== undefined && (
                    <DeviceTile
                      key={id}
                      device={device}
                      spaceId={spaceId}
                      density={density}
                      isActive={id === activeId}
                    />
                  )
                )
              })}
            </div>
          )
        }}
      />
    </div>
  )
}

function focusTile(frame: HTMLElement | null, deviceId: string): boolean {
  const tile = frame?.querySelector<HTMLElement>(`[data-device="${CSS.escape(deviceId)}"]`)
  tile?.focus({ preventScroll: true })
  return tile != null
}
