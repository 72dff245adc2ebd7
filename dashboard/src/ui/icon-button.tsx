import type { ButtonHTMLAttributes, Ref } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import styles from './icon-button.module.css'
import { joinClasses } from './join-classes.ts'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'label' | 'icon' | 'size' | 'class'> & {
  icon: IconName
  /** Its name to those who do not see the icon, and its title. */
  label: string
  size?: 'small' | 'medium'
  /** Makes it a toggle that says whether it is on. */
  isPressed?: boolean
  buttonRef?: Ref<HTMLButtonElement>
  class?: string
}

/** Square button with an icon alone. */
export function IconButton({
  icon,
  label,
  size = 'medium',
  isPressed,
  buttonRef,
  class: className,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      {...rest}
      ref={buttonRef}
      class={joinClasses(styles.button, size === 'small' && styles.small, className)}
    >
      <Icon name={icon} />
    </button>
  )
}
