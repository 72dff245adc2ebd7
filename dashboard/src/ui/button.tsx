import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import styles from './button.module.css'
import { Icon, type IconName } from './icon.tsx'
import { joinClasses } from './join-classes.ts'
import { uiMessages } from './messages.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'size' | 'icon' | 'class'> & {
  variant?: ButtonVariant
  size?: 'small' | 'medium'
  icon?: IconName
  /** Shows a spinner and takes no press, but keeps focus and place. */
  isBusy?: boolean
  buttonRef?: Ref<HTMLButtonElement>
  class?: string
  children?: ComponentChildren
}

/** Button with a text. It submits no form unless `type="submit"`. */
export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  isBusy = false,
  buttonRef,
  children,
  onClick,
  class: className,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      ref={buttonRef}
      class={joinClasses(styles.button, styles[variant], size === 'small' && styles.small, className)}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? event => event.preventDefault() : onClick}
    >
      {isBusy ? (
        <span class={styles.spinner} aria-hidden="true" />
      ) : (
        icon !== undefined && <Icon name={icon} />
      )}
      {children}
      {isBusy && <span class="visually-hidden">{uiMessages.busy}</span>}
    </button>
  )
}
