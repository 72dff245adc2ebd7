import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { batchPerFrame } from '../../graphql/batch-per-frame.ts'
import { asRequestError, type RequestError } from '../../graphql/request-error.ts'
import type { LogFilter, LogLevel } from '../../graphql/schema-types.generated.ts'
import { request } from '../../graphql/session.ts'
import { useLive } from '../../graphql/use-live.ts'
import { DeviceLogAddedDocument, DeviceLogsDocument, type LogLineFragment } from './device.generated.ts'
import { addNew, addOlder, beginLines, type LogLines, olderThan } from './log-lines.ts'

/** Text is searched for in this time, which is the longest that the site searches. */
const SEARCHED_MS = 7 * 86_400_000 - 600_000

/** No device is further ahead. */
const AHEAD_MS = 300_000

/** The logs of a device: the newest page, what came since, and as many older ones as were asked for. */
export function useLogTail(
  deviceId: string,
  { levels, text }: { levels: readonly LogLevel[]; text: string },
  isFollowing: boolean,
) {
  const { id: spaceId } = useSpace()
  const [lines, setLines] = useState<LogLines | undefined>(undefined)
  const [error, setError] = useState<RequestError | undefined>(undefined)
  const [isLoadingOlder, setLoadingOlder] = useState(false)
  const following = useRef(isFollowing)
  following.current = isFollowing
  const filterText = JSON.stringify({ levels, text })
  const filter = useMemo<LogFilter>(
    () => ({
      deviceIds: [deviceId],
      ...(levels.length > 0 && { levels: [...levels] }),
      ...(text !== '' && { text }),
    }),
    [deviceId, filterText],
  )
  const searched = (): LogFilter =>
    text === ''
      ? filter
      : {
          ...filter,
          from: new Date(Date.now() - SEARCHED_MS).toISOString(),
          // Clocks of devices may be ahead.
          to: new Date(Date.now() + AHEAD_MS).toISOString(),
        }
  const running = useRef<AbortController | null>(null)

  const frame = useMemo(
    () =>
      batchPerFrame<LogLineFragment>(logs =>
        setLines(before => (before === undefined ? before : addNew(before, logs, following.current))),
      ),
    [],
  )
  useEffect(() => () => frame.drop(), [frame])

  const load = useCallback(async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    try {
      const variables = { spaceId, filter: searched(), after: null }
      const { data } = await request(DeviceLogsDocument, variables, { signal: controller.signal })
      // What came while it was loaded is in it, or comes after it.
      setLines(before => {
        const begun = beginLines(data.logs)
        const newest = begun.lines.at(-1)?.log.id ?? ''
        const since = (before?.lines ?? []).map(({ log }) => log).filter(({ id }) => id > newest)
        return addNew(begun, since, true)
      })
      setError(undefined)
    } catch (reason) {
      if (!controller.signal.aborted) setError(asRequestError(reason))
    }
  }, [spaceId, filter])

  useEffect(() => {
    setLines(undefined)
    frame.drop()
    return () => running.current?.abort()
  }, [filter])

  useLive(
    DeviceLogAddedDocument,
    { spaceId, filter },
    {
      onLoad: () => void load(),
      onEvent: ({ logAdded }) => frame.add(logAdded),
    },
  )

  const loadOlder = async () => {
    if (lines === undefined || !lines.hasOlder || isLoadingOlder) return
    setLoadingOlder(true)
    try {
      const { after, to } = olderThan(lines)
      const asked = { spaceId, filter: { ...searched(), ...(to !== null && { to }) }, after }
      const { data } = await request(DeviceLogsDocument, asked)
      setLines(before => (before === undefined ? before : addOlder(before, data.logs)))
    } catch (reason) {
      setError(asRequestError(reason))
    } finally {
      setLoadingOlder(false)
    }
  }

  return { lines, error, isLoadingOlder, load, loadOlder }
}
