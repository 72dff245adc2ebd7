import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import styles from './tooltip.module.css'

/** Text that shows while its child is pointed at or focused; Escape hides it. The child keeps a name of its own. */
export function Tooltip({ text, children }: { text: string; children: ComponentChildren }) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the child is what is interacted with.
    <span
      class={styles.root}
      aria-describedby={isShown ? id : undefined}
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
      onFocusIn={() => setShown(true)}
      onFocusOut={() => setShown(false)}
      onKeyDown={event => {
        if (event.key === 'Escape') setShown(false)
      }}
    >
      {children}
      {isShown && (
        <span id={id} role="tooltip" class={styles.tip}>
          {text}
        </span>
      )}
    </span>
  )
}
