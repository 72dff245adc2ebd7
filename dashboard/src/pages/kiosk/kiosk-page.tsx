import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { ConnectionBadge } from '../../app/connection-badge.tsx'
import { connectionState } from '../../app/product-session.ts'
import { navigate } from '../../app/router.ts'
import { type CurrentSpace, SpaceContext } from '../../app/space-context.ts'
import { useUrlState } from '../../app/url-state.ts'
import { formatTime } from '../../i18n/format.ts'
import { now } from '../../ui/clock.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { OnlineMark } from '../../ui/online-mark.tsx'
import { SeverityBadge } from '../../ui/severity-badge.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusMark, statusText } from '../../ui/status-mark.tsx'
import type { BoardDevice } from '../board/board-device.ts'
import { type BoardStore, openBoardStore } from '../board/board-store.ts'
import { formatMetric } from '../board/format-metric.ts'
import { messages as boardMessages } from '../board/messages.ts'
import styles from './kiosk-page.module.css'
import { messages } from './messages.ts'
import { cutSlides, type Slide } from './slides.ts'
import { useWakeLock } from './use-wake-lock.ts'

const DEFAULT_SECONDS = 15

/** Tiles beside each other, and under each other, whatever the size of the wall. */
const COLUMNS = { narrow: 2, medium: 4, wide: 6 } as const
const ROWS = 4

/** The floor on a wall, live: its lines in turn (`?seconds=15`, `?lines=<id>,<id>`), nothing to press. */
export function KioskPage() {
  const space = useContext(SpaceContext)
  if (space === undefined)
    return (
      <main class={styles.wall}>
        <h1 class="visually-hidden">{messages.title}</h1>
        <EmptyState title={messages.empty} text={messages.emptyText} />
      </main>
    )
  return <Wall space={space} />
}

function Wall({ space }: { space: CurrentSpace }) {
  const store = useMemo(() => openBoardStore(space.id), [space.id])
  useEffect(() => () => store.close(), [store])
  useWakeLock()
  useEffect(() => {
    document.title = `${space.name} · NUVION`
  }, [space.name])
  const leave = () => navigate(`/spaces/${space.id}/board`)
  useShortcut('Escape', messages.leave, leave)
  return (
    <main id="content" class={styles.wall}>
      <h1 class="visually-hidden">{messages.title}</h1>
      <header class={styles.top}>
        <span class={styles.space}>{space.name}</span>
        <ConnectionBadge connection={connectionState} />
        <Clock timeZone={space.timezone} />
        <IconButton icon="close" label={messages.leave} onClick={leave} />
      </header>
      <Slides store={store} />
    </main>
  )
}

function Clock({ timeZone }: { timeZone: string }) {
  return <time class={styles.clock}>{formatTime(now.value, timeZone)}</time>
}

function Slides({ store }: { store: BoardStore }) {
  const [seconds] = useUrlState('seconds', toSeconds, DEFAULT_SECONDS)
  const [lines] = useUrlState('lines', text => text, '')
  const [at, setAt] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const columns = useColumns()
  store.version.value
  const slides = cutSlides(store.all(), store.topology.value, {
    ...{ perSlide: columns * ROWS, lineIds: lines.split(',').filter(id => id !== '') },
  })
  const count = slides.length
  useEffect(() => {
    if (isPaused || count < 2) return undefined
    const timer = setInterval(() => setAt(before => before + 1), seconds * 1000)
    return () => clearInterval(timer)
  }, [isPaused, seconds, count, at])
  useShortcut('ArrowRight', messages.next, () => setAt(before => before + 1))
  useShortcut('ArrowLeft', messages.previous, () => setAt(before => before + count - 1))
  useShortcut(' ', messages.pause, () => setPaused(before => !before))

  const error = store.error.value
  if (!store.isLoaded.value)
    return error === undefined ? (
      <Skeleton rows={4} height={160} />
    ) : (
      <ErrorState text={error.text} onRetry={() => void store.load()} />
    )
  const index = count === 0 ? 0 : at % count
  const slide = slides[index]
  if (slide === undefined) return <EmptyState title={messages.empty} text={messages.emptyText} />
  // Few devices are drawn large.
  const fitting = Math.min(columns, Math.max(2, Math.ceil(Math.sqrt(slide.devices.length * 1.6))))
  return (
    <>
      <SlideHead slide={slide} position={messages.slideOf(index + 1, count)} isPaused={isPaused} />
      <ul
        class={styles.tiles}
        style={{
          gridTemplateColumns: `repeat(${fitting}, minmax(0, 1fr))`,
          fontSize: `${Math.min(2, columns / fitting)}em`,
        }}
      >
        {slide.devices.map(device => (
          <WallTile key={device.id} device={device} />
        ))}
      </ul>
      {!isPaused && count > 1 && (
        <span key={at} class={styles.bar} style={{ animationDuration: `${seconds}s` }} aria-hidden="true" />
      )}
    </>
  )
}

function SlideHead({ slide, position, isPaused }: { slide: Slide; position: string; isPaused: boolean }) {
  const { line, online, total, openAnomalies } = slide
  return (
    <div class={styles.head}>
      <h2 class={styles.line}>{line?.name ?? boardMessages.noLine}</h2>
      <span class={styles.count}>{boardMessages.onlineOf(online, total)}</span>
      {openAnomalies > 0 && (
        <span class={styles.anomalies}>
          <Icon name="alert" size={24} /> {boardMessages.anomalies(openAnomalies)}
        </span>
      )}
      <span class={styles.position}>
        {isPaused && `${messages.paused} · `}
        {position}
      </span>
    </div>
  )
}

function WallTile({ device }: { device: BoardDevice }) {
  const { code, name, isOnline, status, metrics, openAnomalies, severity } = device
  return (
    <li class={styles.tile} data-status={isOnline ? status : 'OFFLINE'} data-severity={severity ?? undefined}>
      <span class={styles.code}>
        <StatusMark status={status} isCompact size={22} /> {code}
      </span>
      <span class={styles.name}>{name}</span>
      <span class={styles.foot}>
        {isOnline ? `${statusText(status)} · ${formatMetric(metrics)}` : <OnlineMark isOnline={false} />}
        {openAnomalies > 0 && (
          <span class={styles.badge}>
            {severity === null ? (
              <Icon name="alert" size={18} />
            ) : (
              <SeverityBadge severity={severity} isCompact />
            )}
            <span aria-hidden="true">{openAnomalies}</span>
            <span class="visually-hidden">{boardMessages.anomalies(openAnomalies)}</span>
          </span>
        )}
      </span>
    </li>
  )
}

function toSeconds(text: string): number | undefined {
  const seconds = Number(text)
  return seconds >= 3 && seconds <= 3600 ? seconds : undefined
}

function useColumns(): number {
  const [width, setWidth] = useState(innerWidth)
  useEffect(() => {
    const measure = () => setWidth(innerWidth)
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  if (width < 700) return COLUMNS.narrow
  return width < 1500 ? COLUMNS.medium : COLUMNS.wide
}
