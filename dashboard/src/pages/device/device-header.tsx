import { useSpace } from '../../app/space-context.ts'
import { formatNumber } from '../../i18n/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { OnlineMark } from '../../ui/online-mark.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { DeviceHeadFragment } from './device.generated.ts'
import styles from './device-page.module.css'
import { messages } from './messages.ts'
import { WatchButton } from './watch-button.tsx'

/** Who a device is, where it stands, and how it is now. */
export function DeviceHeader({ device }: { device: DeviceHeadFragment }) {
  const { id: spaceId, timezone } = useSpace()
  const { id, code, name, model, line, process, online, lastSeenAt, state, connectivity } = device
  const board = `/spaces/${spaceId}/board`
  const openAnomalies = device.openAnomalyCount ?? 0
  const facts: readonly (readonly [string, preact.ComponentChildren])[] = [
    [messages.line, line === null ? '–' : <a href={`${board}?line=${line.id}`}>{line.name}</a>],
    [
      messages.process,
      process === null ? '–' : <a href={`${board}?process=${process.id}`}>{process.name}</a>,
    ],
    [messages.model, model ?? '–'],
    [
      messages.lastSeen,
      lastSeenAt === null ? messages.never : <RelativeTime at={lastSeenAt} timeZone={timezone} />,
    ],
    [
      messages.reported,
      state === null ? messages.noState : <RelativeTime at={state.reportedAt} timeZone={timezone} />,
    ],
    ...(connectivity === null
      ? []
      : ([
          [
            messages.network,
            [
              connectivity.network,
              connectivity.signal === null ? null : `${formatNumber(connectivity.signal)} dBm`,
            ]
              .filter(one => one !== null)
              .join(' · '),
          ],
          [
            messages.latency,
            connectivity.latencyMs === null ? '–' : `${formatNumber(connectivity.latencyMs)} ms`,
          ],
        ] as const)),
  ]
  return (
    <>
      <PageHeader
        title={name}
        description={code}
        meta={
          <>
            <StatusMark status={state?.status ?? 'UNKNOWN'} />
            <OnlineMark isOnline={online} />
            {openAnomalies > 0 && (
              <a href={`/spaces/${spaceId}/anomalies?device=${id}`}>
                <Badge tone="bad">{messages.openAnomalies(openAnomalies)}</Badge>
              </a>
            )}
          </>
        }
        actions={
          <>
            <WatchButton deviceId={id} />
            <a href={`/spaces/${spaceId}/settings?tab=devices&q=${encodeURIComponent(code)}`}>
              {messages.edit}
            </a>
          </>
        }
      />
      <dl class={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
