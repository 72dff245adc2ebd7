import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'
import { joinClasses } from './join-classes.ts'
import styles from './menu.module.css'

export type MenuItem = {
  key: string
  label: string
  icon?: IconName
  hint?: string
  onPress: () => void
  /** Given at all, the item is a choice of one and says whether it is chosen. */
  isChecked?: boolean
  isDangerous?: boolean
  isDisabled?: boolean
  /** Draws a line above it. */
  startsGroup?: boolean
}

/** Button that opens a menu: arrows, Home, End and first letters move, Escape and Tab close, focus returns. */
export function Menu({
  label,
  trigger,
  items,
  align = 'start',
  opens = 'down',
  triggerClass,
}: {
  /** Names the button and the menu. */
  label: string
  /** What the button shows. */
  trigger: ComponentChildren
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  opens?: 'down' | 'up'
  triggerClass?: string
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const entries = () => [
    ...(root.current?.querySelectorAll<HTMLElement>('[data-menu-item]:not(:disabled)') ?? []),
  ]

  useEffect(() => {
    if (!isOpen) return
    const chosen = items.findIndex(item => item.isChecked === true)
    ;(entries()[Math.max(0, chosen)] ?? entries()[0])?.focus()
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const target = {
      ArrowDown: all[(at + 1) % all.length],
      ArrowUp: all[(at - 1 + all.length) % all.length],
      Home: all[0],
      End: all.at(-1),
    }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') {
      setOpen(false)
      return
    } else if (target !== undefined) target.focus()
    else if (event.key.length === 1 && event.key !== ' ')
      [...all.slice(at + 1), ...all.slice(0, at + 1)]
        .find(entry => entry.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))
        ?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={root} class={styles.root}>
      <button
        ref={button}
        type="button"
        class={triggerClass ?? styles.trigger}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {trigger}
      </button>
      {isOpen && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          class={styles.menu}
          data-align={align}
          data-opens={opens}
          onKeyDown={move}
        >
          {items.map(item => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only a menuitemradio gets it.
            <button
              key={item.key}
              type="button"
              role={item.isChecked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={item.isChecked}
              data-menu-item
              tabIndex={-1}
              disabled={item.isDisabled}
              class={joinClasses(
                styles.item,
                item.isDangerous === true && styles.danger,
                item.startsGroup === true && styles.group,
              )}
              onClick={() => {
                close()
                item.onPress()
              }}
            >
              {item.icon !== undefined && <Icon name={item.icon} />}
              <span class={styles.label}>{item.label}</span>
              {item.hint !== undefined && <span class={styles.hint}>{item.hint}</span>}
              {item.isChecked === true && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
