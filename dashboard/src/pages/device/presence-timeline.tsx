import { useEffect, useMemo, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { asRequestError, type RequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
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
  const [loaded, setLoaded] = useState<{ events: readonly Event[]; isWhole: boolean } | undefined>(undefined)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const [attempt, setAttempt] = useState(0)
  const rangeText = serializeTimeRange(range)
  const asked = useMemo(() => resolveTimeRange(range, Date.now()), [rangeText, isOnline, attempt])
  useEffect(() => {
    const controller = new AbortController()
    loadEvents(spaceId, deviceId, asked, controller.signal).then(
      found => {
        setLoaded(found)
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
  const segments = useMemo(() => {
    const { events, isWhole } = loaded ?? { events: [], isWhole: true }
    // What was before the oldest of too many is not known.
    const known = isWhole ? from : Math.min(...events.map(({ occurredAt }) => Date.parse(occurredAt)))
    return toSegments(events, { from: known, to, isOnlineNow: isOnline })
  }, [loaded, from, to, isOnline])
  const outages = segments.filter(segment => !segment.isOnline).reverse()
  return (
    <Panel
      title={messages.presence}
      actions={<span>{messages.onlineShare(formatPercent(onlineShare(segments), 2))}</span>}
    >
      {error !== undefined ? (
        <ErrorState text={error.text} onRetry={() => setAttempt(before => before + 1)} />
      ) : loaded === undefined ? (
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
          {!loaded.isWhole && <p class={styles.note}>{messages.presenceCut}</p>}
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

/** The events of a range, and the last one before it. `isWhole` is false where the oldest ones were too many. */
async function loadEvents(
  spaceId: string,
  deviceId: string,
  { from, to }: { from: Date; to: Date },
  signal: AbortSignal,
): Promise<{ events: readonly Event[]; isWhole: boolean }> {
  const deviceIds = [deviceId]
  const filter = { deviceIds, from: from.toISOString(), to: to.toISOString() }
  const events: Event[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const { nodes, pageInfo }: Connection = await loadPage({ spaceId, filter, first: 100, after }, signal)
    events.push(...nodes)
    if (!pageInfo.hasNextPage) {
      const earlier = { deviceIds, to: from.toISOString() }
      const { nodes: last } = await loadPage({ spaceId, filter: earlier, first: 1, after: null }, signal)
      return { events: [...events, ...last], isWhole: true }
    }
    after = pageInfo.endCursor
  }
  return { events, isWhole: false }
}

type Connection = DevicePresenceEventsQuery['presenceEvents']

async function loadPage(
  variables: DevicePresenceEventsQueryVariables,
  signal: AbortSignal,
): Promise<Connection> {
  const { data } = await request(DevicePresenceEventsDocument, variables, { signal })
  return data.presenceEvents
}
