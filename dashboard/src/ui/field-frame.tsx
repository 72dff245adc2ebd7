import type { ComponentChildren } from 'preact'
import styles from './field-frame.module.css'
import { uiMessages } from './messages.ts'

export type FieldFrameProps = {
  label: string
  hint?: string
  /** What is wrong with the value; also read to those who do not see it. */
  error?: string
  isOptional?: boolean
  /** Keeps the label for screen readers alone. */
  isLabelHidden?: boolean
}

/** Label above, hint and error below a control. The control's `aria-describedby` is `describedBy(id, props)`. */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  isOptional = false,
  isLabelHidden = false,
  children,
}: FieldFrameProps & { id: string; children: ComponentChildren }) {
  return (
    <div class={styles.field}>
      <label for={id} class={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
        {isOptional && <span class={styles.optional}> ({uiMessages.optional})</span>}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} class={styles.hint}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} class={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

/** Ids of the texts below a field, for its control. */
export function describedBy(id: string, { hint, error }: Pick<FieldFrameProps, 'hint' | 'error'>) {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return ids.join(' ') || undefined
}
