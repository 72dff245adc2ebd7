import { useEffect, useRef, useState } from 'preact/hooks'
import { messages } from './messages.ts'
import { currentPath } from './router.ts'

/** Reads the title of the page aloud after each change of page, once the page has named it. */
export function RouteAnnouncer() {
  const [text, setText] = useState('')
  const isFirst = useRef(true)
  const path = currentPath.value
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    const title = document.querySelector('title')
    if (title === null) return
    const observer = new MutationObserver(() =>
      setText(messages.opened(document.title.replace(' · NUVION', ''))),
    )
    observer.observe(title, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [path])
  return (
    <div class="visually-hidden" aria-live="polite">
      {text}
    </div>
  )
}
