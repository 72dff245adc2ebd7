import { useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import type { Severity } from '../../graphql/schema-types.generated.ts'
import { viewer } from '../../graphql/session.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { severityText } from '../../ui/severity-badge.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  type AnomalyCommentFragment,
  DeleteCommentDocument,
  EditCommentDocument,
} from './anomalies.generated.ts'
import { nameOf, subjectOf } from './anomaly-actions.ts'
import styles from './anomaly-history.module.css'
import { messages } from './messages.ts'

type Comment = AnomalyCommentFragment

const ICONS: Record<NonNullable<Comment['step']>, IconName> = {
  RAISED: 'alert',
  ESCALATED: 'arrowUp',
  CLEARED: 'check',
  ACKNOWLEDGED: 'eye',
  RESOLVED: 'check',
  REOPENED: 'refresh',
}

/** What was done and said about an anomaly, oldest first. `onChanged` is called once a comment has changed. */
export function AnomalyHistory({
  comments,
  mayWrite,
  mayModerate,
  onChanged,
}: {
  comments: readonly Comment[]
  mayWrite: boolean
  /** Whether the comments of others may be deleted. */
  mayModerate: boolean
  onChanged: () => void
}) {
  return (
    <ol class={styles.history}>
      {comments.map(comment =>
        comment.kind === 'SYSTEM' ? (
          <Step key={comment.id} comment={comment} />
        ) : (
          <Said
            key={comment.id}
            comment={comment}
            mayEdit={mayWrite && comment.author?.id === viewer.value?.id}
            mayDelete={mayModerate || (mayWrite && comment.author?.id === viewer.value?.id)}
            onChanged={onChanged}
          />
        ),
      )}
    </ol>
  )
}

function Step({ comment }: { comment: Comment }) {
  const { timezone } = useSpace()
  return (
    <li class={styles.step}>
      <span class={styles.mark}>
        <Icon name={comment.step === null ? 'info' : ICONS[comment.step]} size={12} />
      </span>
      <span>{stepText(comment)}</span>
      <span class={styles.time}>
        <RelativeTime at={comment.createdAt} timeZone={timezone} />
      </span>
    </li>
  )
}

function Said({
  comment,
  mayEdit,
  mayDelete,
  onChanged,
}: {
  comment: Comment
  mayEdit: boolean
  mayDelete: boolean
  onChanged: () => void
}) {
  const { timezone } = useSpace()
  const [draft, setDraft] = useState<string | undefined>()
  const [isDeleting, setDeleting] = useState(false)
  const edit = useMutation(EditCommentDocument)
  const remove = useMutation(DeleteCommentDocument)
  const save = async () => {
    const body = draft?.trim() ?? ''
    if (body === '' || (await edit.run({ input: { commentId: comment.id, body } })) === null) return
    setDraft(undefined)
    onChanged()
  }
  const confirm = async () => {
    const isDone = (await remove.run({ input: { commentId: comment.id } })) !== null
    setDeleting(false)
    if (isDone) onChanged()
    else showToast('error', messages.failed)
  }
  return (
    <li class={styles.said}>
      <header class={styles.head}>
        <strong>{nameOf(comment.author)}</strong>
        <span class={styles.time}>
          <RelativeTime at={comment.createdAt} timeZone={timezone} />
          {comment.editedAt !== null && ` · ${messages.edited}`}
        </span>
        <span class={styles.tools}>
          {mayEdit && (
            <IconButton
              icon="edit"
              size="small"
              label={messages.edit}
              onClick={() => setDraft(comment.body)}
            />
          )}
          {mayDelete && (
            <IconButton icon="trash" size="small" label={messages.remove} onClick={() => setDeleting(true)} />
          )}
        </span>
      </header>
      {draft === undefined ? (
        <p class={styles.body}>{comment.body}</p>
      ) : (
        <div class={styles.editor}>
          <TextField label={messages.edit} isLabelHidden rows={3} value={draft} onValue={setDraft} />
          <FormErrors errors={edit.userErrors} />
          <div class={styles.buttons}>
            <Button size="small" onClick={() => setDraft(undefined)}>
              {messages.cancel}
            </Button>
            <Button size="small" variant="primary" isBusy={edit.isRunning} onClick={() => void save()}>
              {messages.save}
            </Button>
          </div>
        </div>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={messages.removeTitle}
          text={messages.removeText}
          confirmLabel={messages.remove}
          isDangerous
          onConfirm={() => void confirm()}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  )
}

function stepText({ step, author, body }: Comment): string {
  if (step === null) return body
  if (step === 'ESCALATED') {
    const [, from, to] = /from (\w+) to (\w+)/.exec(body) ?? []
    return isSeverity(from) && isSeverity(to)
      ? messages.stepEscalatedFrom(severityText(from), severityText(to))
      : messages.stepESCALATED
  }
  if (step === 'RAISED' || step === 'CLEARED') return messages[`step${step}`]
  return messages[`step${step}`](subjectOf(author))
}

function isSeverity(text: string | undefined): text is Severity {
  return text === 'INFO' || text === 'MINOR' || text === 'MAJOR' || text === 'CRITICAL'
}
