import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import styles from './checkbox.module.css'

/** Native checkbox with its label. `isMixed` is for "some of these". */
export function Checkbox({
  label,
  isLabelHidden = false,
  isChecked,
  isMixed = false,
  onValue,
  disabled,
  hint,
}: {
  label: ComponentChildren
  isLabelHidden?: boolean
  isChecked: boolean
  isMixed?: boolean
  onValue: (isChecked: boolean) => void
  disabled?: boolean
  hint?: string
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = isMixed
  }, [isMixed])
  return (
    <label class={styles.checkbox}>
      <input
        ref={input}
        type="checkbox"
        checked={isChecked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : id}
        onChange={event => onValue(event.currentTarget.checked)}
      />
      <span>
        <span class={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
        {hint !== undefined && (
          <span id={id} class={styles.hint}>
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
