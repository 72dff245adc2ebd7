import { useId } from 'preact/hooks'
import { describedBy, FieldFrame, type FieldFrameProps } from './field-frame.tsx'
import { Icon } from './icon.tsx'
import styles from './select.module.css'

type Props<V extends string> = FieldFrameProps & {
  value: V
  options: readonly { value: V; label: string; isDisabled?: boolean }[]
  onValue: (value: V) => void
  name?: string
  disabled?: boolean
}

/** Labelled native select of one value. */
export function Select<V extends string>({ value, options, onValue, name, disabled, ...frame }: Props<V>) {
  const id = useId()
  return (
    <FieldFrame id={id} {...frame}>
      <span class={styles.wrap}>
        <select
          id={id}
          name={name}
          disabled={disabled}
          value={value}
          class={styles.select}
          aria-invalid={frame.error === undefined ? undefined : true}
          aria-describedby={describedBy(id, frame)}
          onChange={event => onValue(event.currentTarget.value as V)}
        >
          {options.map(option => (
            <option
              key={option.value}
              value={option.value}
              selected={option.value === value}
              disabled={option.isDisabled}
            >
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size={14} />
      </span>
    </FieldFrame>
  )
}
