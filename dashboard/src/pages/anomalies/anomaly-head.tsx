import type { AnomalyStatus } from '../../graphql/schema-types.generated.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SeverityBadge } from '../../ui/severity-badge.tsx'
import { type AnomalyActions, nameOf } from './anomaly-actions.ts'
import styles from './anomaly-head.module.css'
import { StatusBadge } from './anomaly-row-view.tsx'
import type { AnomalyRow } from './anomaly-store.ts'
import { messages } from './messages.ts'

/** Top of an anomaly: what it is, how it stands, and what can be done. */
export function AnomalyHead({
  row,
  pending,
  note,
  actions,
  onClose,
}: {
  row: AnomalyRow
  pending: AnomalyStatus | undefined
  note: string | undefined
  actions: AnomalyActions | undefined
  onClose: () => void
}) {
  const { type, severity, status, acknowledgedBy, resolvedBy } = row
  const who = status === 'ACKNOWLEDGED' ? nameOf(acknowledgedBy) : resolvedBy && nameOf(resolvedBy)
  return (
    <header class={styles.head}>
      <div class={styles.line}>
        <span class={styles.back}>
          <IconButton icon="arrowLeft" label={messages.back} onClick={onClose} />
        </span>
        <h2>{type}</h2>
        <span class={styles.tools}>
          <CopyButton text={location.href} label={messages.copyLink} />
          <span class={styles.close}>
            <IconButton icon="close" label={messages.close} onClick={onClose} />
          </span>
        </span>
      </div>
      <div class={styles.marks}>
        <SeverityBadge severity={severity} />
        <StatusBadge status={status} pending={pending} />
        {status !== 'OPEN' && who && <span class={styles.who}>{who}</span>}
      </div>
      {note !== undefined && (
        <p class={styles.note}>
          <Icon name="info" /> {note}
        </p>
      )}
      {actions !== undefined && (
        <div class={styles.actions}>
          {status === 'OPEN' && (
            <Button
              variant="primary"
              icon="eye"
              isBusy={pending !== undefined}
              onClick={() => void actions.acknowledge([row])}
            >
              {messages.acknowledge} <kbd>a</kbd>
            </Button>
          )}
          {status !== 'RESOLVED' && (
            <Button icon="check" isBusy={pending !== undefined} onClick={() => void actions.resolve(row, '')}>
              {messages.resolve} <kbd>r</kbd>
            </Button>
          )}
          {status === 'RESOLVED' && (
            <Button icon="refresh" isBusy={pending !== undefined} onClick={() => void actions.reopen(row)}>
              {messages.reopen} <kbd>R</kbd>
            </Button>
          )}
        </div>
      )}
    </header>
  )
}
