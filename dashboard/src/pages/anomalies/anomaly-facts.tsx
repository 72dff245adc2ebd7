import type { ComponentChildren } from 'preact'
import { useSpace } from '../../app/space-context.ts'
import { formatDateTime, formatNumber, formatTime } from '../../i18n/format.ts'
import type { AnomalyDetailQuery } from './anomalies.generated.ts'
import styles from './anomaly-detail.module.css'
import type { AnomalyRow } from './anomaly-store.ts'
import { messages } from './messages.ts'

/** Where and when an anomaly occurred, and what the device told with it. */
export function AnomalyFacts({
  row,
  detail,
}: {
  row: AnomalyRow
  detail: NonNullable<AnomalyDetailQuery['anomaly']> | undefined
}) {
  const { id: spaceId, timezone } = useSpace()
  const { device, line, process, occurrences } = row
  const moment = (at: string) => (
    <time dateTime={at} title={formatTime(at, timezone)}>
      {formatDateTime(at, timezone)}
    </time>
  )
  const attributes = Object.entries((detail?.attributes ?? {}) as Record<string, unknown>)
  return (
    <>
      <dl class={styles.facts}>
        <Fact label={messages.device}>
          {device === null ? (
            '–'
          ) : (
            <a href={`/spaces/${spaceId}/devices/${device.id}`}>
              {device.code} · {device.name}
            </a>
          )}
        </Fact>
        {line !== null && <Fact label={messages.line}>{line.name}</Fact>}
        {process !== null && <Fact label={messages.process}>{process.name}</Fact>}
        <Fact label={messages.raisedAt}>{moment(row.firstOccurredAt)}</Fact>
        <Fact label={messages.lastOccurred}>
          {moment(row.lastOccurredAt)} · {messages.occurrences(formatNumber(occurrences))}
        </Fact>
        {row.acknowledgedAt !== null && (
          <Fact label={messages.ACKNOWLEDGED}>{moment(row.acknowledgedAt)}</Fact>
        )}
        {row.resolvedAt !== null && <Fact label={messages.RESOLVED}>{moment(row.resolvedAt)}</Fact>}
        {detail !== undefined && detail.score !== null && (
          <Fact label={messages.score}>{formatNumber(detail.score, { maximumFractionDigits: 3 })}</Fact>
        )}
      </dl>
      {detail?.clockReplaced === true && <p class={styles.warning}>{messages.clockReplaced}</p>}
      {attributes.length > 0 && (
        <section class={styles.part}>
          <h3>{messages.attributes}</h3>
          <dl class={styles.facts}>
            {attributes.map(([name, value]) => (
              <Fact key={name} label={name}>
                <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
              </Fact>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
