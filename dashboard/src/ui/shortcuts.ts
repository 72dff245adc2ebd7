import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export type Shortcut = { key: string; label: string; run: (event: KeyboardEvent) => void }

/** Shortcuts of what is on the page, oldest first. Of two with one key the newest answers. */
export const shortcuts = signal<readonly Shortcut[]>([])

/**
 * Registers a shortcut while the component is mounted. `key` is a `KeyboardEvent.key` ("j", "?", "Escape"). It is not heard
 * while one types in a field, holds Ctrl, Alt or Meta, or has a dialog open.
 */
export function useShortcut(key: string, label: string, handler: (event: KeyboardEvent) => void): void {
  const latest = useRef(handler)
  latest.current = handler
  useEffect(() => {
    const shortcut: Shortcut = { key, label, run: event => latest.current(event) }
    shortcuts.value = [...shortcuts.peek(), shortcut]
    return () => {
      shortcuts.value = shortcuts.peek().filter(other => other !== shortcut)
    }
  }, [key, label])
}

/** Listens for the shortcuts of the page. Returns its stopper. */
export function startShortcuts(): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return
    if (event.target instanceof HTMLElement && isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    const key = keyOf(event)
    const found = shortcuts.peek().findLast(shortcut => shortcut.key === key)
    if (found === undefined) return
    event.preventDefault()
    found.run(event)
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

function isTyping(element: HTMLElement): boolean {
  return element.isContentEditable || element.matches('input:not([type=checkbox]), textarea, select')
}

/** With a Korean layout the keys of letters say Hangul: then it counts where they are. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  const letter = /^[ㄱ-ㅣ]$/.test(key) ? /^Key([A-Z])$/.exec(code)?.[1] : undefined
  if (letter === undefined) return key
  return shiftKey ? letter : letter.toLowerCase()
}
