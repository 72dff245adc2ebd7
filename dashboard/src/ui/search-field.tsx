import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { uiMessages } from './messages.ts'
import styles from './search-field.module.css'
import { useShortcut } from './shortcuts.ts'

/** Search that says what was typed after a pause (ms). `/` goes to it; Escape empties it. */
export function SearchField({
  label = uiMessages.search,
  value,
  onValue,
  placeholder = label,
  delayMs = 200,
}: {
  label?: string
  value: string
  onValue: (value: string) => void
  placeholder?: string
  delayMs?: number
}) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const said = useRef(value)
  useShortcut('/', uiMessages.focusSearch, () => input.current?.focus())
  useEffect(() => {
    if (value === said.current) return
    said.current = value
    setText(value)
  }, [value])
  const say = (next: string) => {
    if (next === said.current) return
    said.current = next
    onValue(next)
  }
  useEffect(() => {
    const timer = setTimeout(() => say(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  const empty = () => {
    setText('')
    say('')
    input.current?.focus()
  }
  return (
    <search class={styles.search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        class={styles.input}
        onInput={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') say(text)
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            empty()
          }
        }}
      />
      {text === '' ? (
        <span class={styles.key} aria-hidden="true">
          /
        </span>
      ) : (
        <IconButton icon="close" size="small" label={uiMessages.clear} onClick={empty} />
      )}
    </search>
  )
}
