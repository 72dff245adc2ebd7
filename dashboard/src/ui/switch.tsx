import { useId } from 'preact/hooks'
import styles from './switch.module.css'

/** Setting that is on or off and takes effect at once. */
export function Switch({
  label,
  hint,
  isOn,
  onValue,
  disabled,
}: {
  label: string
  hint?: string
  isOn: boolean
  onValue: (isOn: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div class={styles.row}>
      <span>
        <label for={id} class={styles.label}>
          {label}
        </label>
        {hint !== undefined && (
          <span id={`${id}-hint`} class={styles.hint}>
            {hint}
          </span>
        )}
      </span>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        disabled={disabled}
        class={styles.switch}
        onClick={() => onValue(!isOn)}
      />
    </div>
  )
}
