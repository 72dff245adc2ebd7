import type { ComponentChildren } from 'preact'
import type { RequestError } from '../../graphql/request-error.ts'
import { Button } from '../../ui/button.tsx'
import { FormErrors, type UserError } from '../../ui/form-errors.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import styles from './account-form.module.css'
import { messages } from './messages.ts'

/** Page of one form: what it is for, its fields, what is wrong, its button, and ways to elsewhere. */
export function AccountForm({
  title,
  text,
  submitLabel,
  isRunning,
  error,
  userErrors = [],
  fields = [],
  onSubmit,
  links,
  children,
}: {
  title: string
  text?: string
  submitLabel: string
  isRunning: boolean
  error?: RequestError
  userErrors?: readonly UserError[]
  /** Those whose errors stand beside them. */
  fields?: readonly string[]
  onSubmit: () => void
  links?: ComponentChildren
  children?: ComponentChildren
}) {
  const failure = error === undefined ? [] : [{ code: error.code, message: messages.failed }]
  return (
    <>
      <PageHeader title={title} description={text} />
      <form
        class={styles.form}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!isRunning) onSubmit()
        }}
      >
        <FormErrors errors={[...failure, ...userErrors]} fields={fields} />
        {children}
        <Button type="submit" variant="primary" isBusy={isRunning}>
          {submitLabel}
        </Button>
      </form>
      {links !== undefined && <p class={styles.links}>{links}</p>}
    </>
  )
}
