import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import styles from './tabs.module.css'

/** Tabs by keyboard (arrows, Home, End) and the panel of the chosen one. The caller keeps which, best in the URL. */
export function Tabs<T extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  label: string
  tabs: readonly { id: T; label: string; count?: number }[]
  selected: T
  onSelect: (id: T) => void
  /** Contents of the chosen tab. */
  children: ComponentChildren
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(tab => tab.id === selected)
    const last = tabs.length - 1
    const to =
      event.key === 'ArrowRight'
        ? (at + 1) % tabs.length
        : event.key === 'ArrowLeft'
          ? (at + last) % tabs.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? last
              : -1
    const tab = tabs[to]
    if (tab === undefined) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <div class={styles.tabs}>
      <div ref={list} role="tablist" aria-label={label} class={styles.list}>
        {tabs.map(tab => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            class={styles.tab}
            onClick={() => onSelect(tab.id)}
            onKeyDown={move}
          >
            {tab.label}
            {tab.count !== undefined && <span class={styles.count}>{tab.count}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`} class={styles.panel}>
        {children}
      </div>
    </div>
  )
}
