import type { InputHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import { describedBy, FieldFrame, type FieldFrameProps } from './field-frame.tsx'
import { IconButton } from './icon-button.tsx'
import { uiMessages } from './messages.ts'
import styles from './text-field.module.css'

type Props = FieldFrameProps & {
  value: string
  onValue: (value: string) => void
  /** A password can be shown by a button beside it. */
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local' | 'time' | 'date'
  /** More than 1 makes it a text area. */
  rows?: number
} & Pick<
    InputHTMLAttributes<HTMLInputElement>,
    | 'name'
    | 'autoComplete'
    | 'placeholder'
    | 'required'
    | 'disabled'
    | 'maxLength'
    | 'minLength'
    | 'min'
    | 'max'
    | 'step'
    | 'inputMode'
    | 'spellcheck'
    | 'autofocus'
    | 'onBlur'
  >

/** Labelled text input or text area. */
export function TextField({
  label,
  hint,
  error,
  isOptional,
  isLabelHidden,
  value,
  onValue,
  type = 'text',
  rows = 1,
  ...rest
}: Props) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  const control = {
    id,
    value,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': describedBy(id, { hint, error }),
  }
  return (
    <FieldFrame
      id={id}
      label={label}
      hint={hint}
      error={error}
      isOptional={isOptional}
      isLabelHidden={isLabelHidden}
    >
      {rows > 1 ? (
        <textarea
          {...control}
          name={rest.name}
          placeholder={rest.placeholder}
          required={rest.required}
          disabled={rest.disabled}
          maxLength={rest.maxLength}
          rows={rows}
          class={styles.input}
          onInput={event => onValue(event.currentTarget.value)}
        />
      ) : (
        <span class={styles.wrap}>
          <input
            {...rest}
            {...control}
            type={(isShown ? 'text' : type) as 'text'}
            class={styles.input}
            onInput={event => onValue(event.currentTarget.value)}
          />
          {type === 'password' && (
            <IconButton
              icon="eye"
              size="small"
              class={styles.reveal}
              label={isShown ? uiMessages.hidePassword : uiMessages.showPassword}
              isPressed={isShown}
              onClick={() => setShown(!isShown)}
            />
          )}
        </span>
      )}
    </FieldFrame>
  )
}
