import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { request } from '../../graphql/session.ts'
import { formatBytes, formatDateTime, formatDuration } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { type AnomalyDetailQuery, ClipLinksDocument } from './anomalies.generated.ts'
import { toClipLink } from './clip-link.ts'
import styles from './clip-player.module.css'
import { messages } from './messages.ts'

/** A recording of an anomaly. */
export type Clip = NonNullable<AnomalyDetailQuery['anomaly']>['clips'][number]

/** A link that is good for less than this is not begun with. */
const RENEW_BEFORE_MS = 20_000

/** Plays the recordings of an anomaly, one at a time. Links that stop working are replaced where it stands. */
export function ClipPlayer({ anomalyId, clips }: { anomalyId: string; clips: readonly Clip[] }) {
  const { timezone } = useSpace()
  const [chosen, setChosen] = useState<string | undefined>()
  const clip = clips.find(({ id }) => id === chosen) ?? clips[0]
  if (clip === undefined) return null
  const facts = [
    formatDateTime(clip.createdAt, timezone),
    clip.durationMs === null ? undefined : formatDuration(clip.durationMs),
    formatBytes(clip.sizeBytes),
  ]
  return (
    <div class={styles.player}>
      <Screen key={clip.id} anomalyId={anomalyId} clip={clip} />
      <p class={styles.facts}>{facts.filter(fact => fact !== undefined).join(' · ')}</p>
      {clips.length > 1 && (
        <ul class={styles.others}>
          {clips.map((one, index) => (
            <li key={one.id}>
              <button
                type="button"
                class={styles.other}
                aria-pressed={one.id === clip.id}
                aria-label={messages.clipOf(index + 1, clips.length)}
                onClick={() => setChosen(one.id)}
              >
                {one.posterUrl === null ? (
                  index + 1
                ) : (
                  <img src={toClipLink(one.posterUrl)} alt="" loading="lazy" />
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Screen({ anomalyId, clip }: { anomalyId: string; clip: Clip }) {
  const [link, setLink] = useState({ url: clip.url, expiresAt: clip.urlExpiresAt, posterUrl: clip.posterUrl })
  const [isGone, setGone] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  /** Where to go on with the next link. */
  const place = useRef<{ at: number; isPlaying: boolean } | undefined>(undefined)
  const failures = useRef(0)

  const renew = useCallback(async () => {
    const element = video.current
    if (element !== null) place.current = { at: element.currentTime, isPlaying: !element.paused }
    try {
      const { data } = await request(ClipLinksDocument, { id: anomalyId })
      const found = data.anomaly?.clips.find(({ id }) => id === clip.id)
      if (found?.url == null) setGone(true)
      else {
        setLink({ url: found.url, expiresAt: found.urlExpiresAt, posterUrl: found.posterUrl })
        // The product gives one link again while it is good: then it is to be tried once more.
        if (element?.error != null && element.src.endsWith(toClipLink(found.url))) element.load()
      }
    } catch {
      setGone(true)
    }
  }, [anomalyId, clip.id])

  /** While it stands still, a new link costs nothing; one that plays is asked for when it fails. */
  useEffect(() => {
    if (link.expiresAt === null) return
    const inMs = Date.parse(link.expiresAt) - Date.now() - RENEW_BEFORE_MS
    const timer = setTimeout(
      () => {
        if (video.current === null || video.current.paused) void renew()
      },
      Math.max(1_000, inMs),
    )
    return () => clearTimeout(timer)
  }, [link.expiresAt, renew])

  const fail = () => {
    failures.current += 1
    if (failures.current > 2) setGone(true)
    else void renew()
  }
  if (isGone || link.url === null)
    return (
      <div class={styles.gone}>
        <p>{messages.clipGone}</p>
        <Button
          size="small"
          icon="refresh"
          onClick={() => {
            failures.current = 0
            setGone(false)
            void renew()
          }}
        >
          {messages.tryAgain}
        </Button>
      </div>
    )
  if (clip.contentType.startsWith('image/'))
    return <img class={styles.screen} src={toClipLink(link.url)} alt={messages.clipPlayer} onError={fail} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: recordings of machines have no words.
    <video
      ref={video}
      class={styles.screen}
      src={toClipLink(link.url)}
      poster={link.posterUrl === null ? undefined : toClipLink(link.posterUrl)}
      controls
      playsInline
      preload="metadata"
      aria-label={messages.clipPlayer}
      onError={fail}
      onPlaying={() => {
        failures.current = 0
      }}
      onLoadedMetadata={event => {
        const before = place.current
        place.current = undefined
        if (before === undefined) return
        event.currentTarget.currentTime = before.at
        if (before.isPlaying) void event.currentTarget.play().catch(() => {})
      }}
    />
  )
}
