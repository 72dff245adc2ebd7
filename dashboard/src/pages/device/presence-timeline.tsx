import { useEffect, useMemo, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import type { RequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import { asRequestError } from '../../graphql/use-query.ts'
import { formatDateTime, formatDuration, formatPercent } from '../../i18n/format.ts'
import { now } from '../../ui/clock.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { resolveTimeRange, serializeTimeRange, type TimeRange } from '../../ui/time-range.ts'
import styles from './band.module.css'
import {
  DevicePresenceEventsDocument,
  type DevicePresenceEventsQuery,
  type DevicePresenceEventsQueryVariables,
} from './device.generated.ts'
import { messages } from './messages.ts'
import { onlineShare, toSegments } from './presence-segments.ts'

type Event = DevicePresenceEventsQuery['presenceEvents']['nodes'][number]

/** Pages of 100 events that are loaded; with more, the oldest of the range are left out. */
const MAX_PAGES = 10

const OUTAGES_SHOWN = 8

/** When a device was online in a range, and its outages. Loads anew whenever it goes or comes. */
export function PresenceTimeline({
  deviceId,
  isOnline,
  range,
}: {
  deviceId: string
  isOnline: boolean
  range: TimeRange
}) {
  const { id: spaceId, timezone } = useSpace()
  const [events, setEvents] = useState<readonly Event[] | undefined>(undefined)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const [attempt, setAttempt] = useState(0)
  const rangeText = serializeTimeRange(range)
  const asked = useMemo(() => resolveTimeRange(range, Date.now()), [rangeText, isOnline, attempt])
  useEffect(() => {
    const controller = new AbortController()
    loadEvents(spaceId, deviceId, asked, controller.signal).then(
      found => {
        setEvents(found)
        setError(undefined)
      },
      reason => {
        if (!controller.signal.aborted) setError(asRequestError(reason))
      },
    )
    return () => controller.abort()
  }, [spaceId, deviceId, asked])

  const to = 'preset' in range ? now.value : asked.to.getTime()
  const from = asked.from.getTime()
  const segments = useMemo(
    () => toSegments(events ?? [], { from, to, isOnlineNow: isOnline }),
    [events, from, to, isOnline],
  )
  const outages = segments.filter(segment => !segment.isOnline).reverse()
  return (
    <Panel
      title={messages.presence}
      actions={<span>{messages.onlineShare(formatPercent(onlineShare(segments), 2))}</span>}
    >
      {error !== undefined ? (
        <ErrorState text={error.text} onRetry={() => setAttempt(before => before + 1)} />
      ) : events === undefined ? (
        <Skeleton rows={1} height={24} />
      ) : (
        <>
          <ol class={styles.band} aria-label={messages.presence}>
            {segments.map(segment => {
              const text = `${segment.isOnline ? uiMessages.online : uiMessages.offline} · ${formatDateTime(segment.from, timezone)} · ${formatDuration(segment.to - segment.from)}`
              return (
                <li
                  key={segment.from}
                  title={text}
                  data-kind={segment.isOnline ? 'ONLINE' : 'OFFLINE'}
                  style={{
                    left: `${((segment.from - from) / (to - from)) * 100}%`,
                    width: `${((segment.to - segment.from) / (to - from)) * 100}%`,
                  }}
                >
                  <span class="visually-hidden">{text}</span>
                </li>
              )
            })}
          </ol>
          {outages.length === 0 ? (
            <p class={styles.note}>{messages.noOutages}</p>
          ) : (
            <ul class={styles.outages} aria-label={messages.outages}>
              {outages.slice(0, OUTAGES_SHOWN).map(outage => (
                <li key={outage.from}>
                  {formatDateTime(outage.from, timezone)} · {formatDuration(outage.to - outage.from)}
                  {outage.to === to && !isOnline && ` · ${messages.stillOffline}`}
                </li>
              ))}
              {outages.length > OUTAGES_SHOWN && (
                <li>{messages.moreOutages(outages.length - OUTAGES_SHOWN)}</li>
              )}
            </ul>
          )}
        </>
      )}
    </Panel>
  )
}

async function loadEvents(
  spaceId: string,
  deviceId: string,
  { from, to }: { from: Date; to: Date },
  signal: AbortSignal,
): Promise<Event[]> {
  const filter = { deviceIds: [deviceId], from: from.toISOString(), to: to.toISOString() }
  const events: Event[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const { nodes, pageInfo }: Connection = await loadPage({ spaceId, filter, after }, signal)
    events.push(...nodes)
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  return events
}

type Connection = DevicePresenceEventsQuery['presenceEvents']

async function loadPage(
  variables: DevicePresenceEventsQueryVariables,
  signal: AbortSignal,
): Promise<Connection> {
  const { data } = await request(DevicePresenceEventsDocument, variables, { signal })
  return data.presenceEvents
}
