import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type AnomalyActions, conflictText } from './anomaly-actions.ts'
import styles from './conflicts-dialog.module.css'
import { messages } from './messages.ts'

/** Of an acknowledgement of many: with which ones somebody was first. */
export function ConflictsDialog({
  actions,
  onOpen,
}: {
  actions: AnomalyActions
  onOpen: (id: string) => void
}) {
  const conflicts = actions.shownConflicts.value
  if (conflicts.length === 0) return null
  return (
    <Dialog
      title={messages.conflictsTitle}
      description={messages.conflictsText}
      onClose={actions.hideConflicts}
      footer={<Button onClick={actions.hideConflicts}>{messages.close}</Button>}
    >
      <ul class={styles.list}>
        {conflicts.map(conflict => (
          <li key={conflict.anomalyId}>
            <button
              type="button"
              class={styles.item}
              onClick={() => {
                actions.hideConflicts()
                onOpen(conflict.anomalyId)
              }}
            >
              <strong>
                {conflict.anomaly.type} · {conflict.anomaly.device?.code ?? '–'}
              </strong>
              <span>{conflictText(conflict)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
