import { language } from '../i18n/language.ts'
import styles from './form-errors.module.css'
import { Icon } from './icon.tsx'
import { uiMessages } from './messages.ts'

/** What a mutation answers about its input. `field` is a path of the input, as "name" or "input.name". */
export type UserError = { code: string; message: string; field?: string | readonly string[] | null }

/** Text of the first error of a field, for `error=` of its control. */
export function errorOf(errors: readonly UserError[], field: string): string | undefined {
  const found = errors.find(error => fieldOf(error) === field)
  return found === undefined ? undefined : userErrorText(found)
}

/** Errors that belong to none of the fields shown, read out at once. Renders nothing when there are none. */
export function FormErrors({
  errors,
  fields = [],
}: {
  errors: readonly UserError[]
  fields?: readonly string[]
}) {
  const others = errors.filter(error => !fields.includes(fieldOf(error)))
  return (
    <div role="alert">
      {others.length > 0 && (
        <ul class={styles.errors}>
          {others.map(error => (
            <li key={`${error.code} ${error.message}`}>
              <Icon name="alert" />
              <span>{userErrorText(error)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What is wrong: in English as the product puts it, otherwise by its code. */
export function userErrorText({ code, message }: UserError): string {
  if (language.value === 'en') return message
  return Object.hasOwn(uiMessages, code) ? uiMessages[code as 'CONFLICT'] : message
}

function fieldOf({ field }: UserError): string {
  const path = typeof field === 'string' ? field.split('.') : (field ?? [])
  return path.at(-1) ?? ''
}
