import { useSpace } from '../../app/space-context.ts'
import type { AnomalyStatus } from '../../graphql/schema-types.generated.ts'
import { formatNumber } from '../../i18n/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SeverityBadge } from '../../ui/severity-badge.tsx'
import { nameOf } from './anomaly-actions.ts'
import styles from './anomaly-row-view.module.css'
import type { AnomalyRow } from './anomaly-store.ts'
import { messages } from './messages.ts'

/** Height of a row of the list in px. */
export const ROW_PX = 60

/** An anomaly as a row: its severity, what, where, when, how often, and who takes care of it. */
export function AnomalyRowView({
  row,
  pending,
  note,
  isPast,
  isSelected,
  onSelect,
  onOpen,
}: {
  row: AnomalyRow
  pending: AnomalyStatus | undefined
  /** Who was first with what was tried. */
  note: string | undefined
  isPast: boolean
  isSelected: boolean
  /** Without it rows cannot be selected. */
  onSelect: ((isSelected: boolean) => void) | undefined
  onOpen: () => void
}) {
  const { timezone } = useSpace()
  const { type, severity, message, device, line, process, occurrences } = row
  const place = [line?.name, process?.name].filter(name => name !== undefined).join(' · ')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its title is a button, and Enter in the list does the same.
    // biome-ignore lint/a11y/noStaticElementInteractions: as above.
    <div
      class={styles.row}
      data-severity={severity}
      data-past={isPast || undefined}
      data-selected={isSelected || undefined}
      data-anomaly={row.id}
      onClick={event => {
        if (!(event.target as Element).closest('label, button')) onOpen()
      }}
    >
      <span class={styles.check}>
        {onSelect !== undefined && (
          <Checkbox
            label={messages.select(type, device?.code ?? '')}
            isLabelHidden
            isChecked={isSelected}
            onValue={onSelect}
          />
        )}
      </span>
      <span class={styles.severity}>
        <SeverityBadge severity={severity} />
      </span>
      <span class={styles.what}>
        <button type="button" class={styles.type} tabIndex={-1} onClick={onOpen}>
          {type}
        </button>
        <span class={styles.message}>{message ?? ''}</span>
      </span>
      <span class={styles.where}>
        <span class={styles.device}>{device?.code ?? '–'}</span>
        <span class={styles.place}>{place}</span>
      </span>
      <span class={styles.when}>
        <span>
          <RelativeTime at={row.lastOccurredAt} timeZone={timezone} />
          {occurrences > 1 && (
            <span class={styles.often} title={messages.occurredTimes(formatNumber(occurrences))}>
              {messages.occurrences(formatNumber(occurrences))}
            </span>
          )}
        </span>
        {occurrences > 1 && (
          <span class={styles.first}>
            {messages.raisedAt} <RelativeTime at={row.firstOccurredAt} timeZone={timezone} />
          </span>
        )}
      </span>
      <span class={styles.standing}>
        <StatusBadge status={row.status} pending={pending} />
        <span class={styles.who} title={isPast ? messages.isPast : undefined}>
          {note ?? whoText(row)}
        </span>
      </span>
    </div>
  )
}

/** Where the work on an anomaly stands, or what is being done about it. */
export function StatusBadge({
  status,
  pending,
}: {
  status: AnomalyStatus
  pending: AnomalyStatus | undefined
}) {
  if (pending !== undefined)
    return (
      <span class={styles.pending}>
        <Icon name="refresh" size={12} /> {messages[`pending${pending}`]}
      </span>
    )
  const tone = { OPEN: 'bad', ACKNOWLEDGED: 'accent', RESOLVED: 'good' } as const
  return <Badge tone={tone[status]}>{messages[status]}</Badge>
}

function whoText({ status, acknowledgedBy, resolvedBy }: AnomalyRow): string {
  if (status === 'ACKNOWLEDGED') return nameOf(acknowledgedBy)
  if (status === 'RESOLVED') return resolvedBy === null ? messages.theDevice : nameOf(resolvedBy)
  return ''
}
