import { useEffect, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { useUrlState } from '../../app/url-state.ts'
import type { LogLevel } from '../../graphql/schema-types.generated.ts'
import { formatDateTime, formatTime } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import type { LogLineFragment } from './device.generated.ts'
import styles from './log-tail.module.css'
import { messages } from './messages.ts'
import { useLogTail } from './use-log-tail.ts'

const LEVELS: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARN', 'ERROR']

/** The logs of a device, the newest at the bottom. It follows them until one scrolls up or pauses, and then keeps its place. */
export function LogTail({ deviceId }: { deviceId: string }) {
  const [levels, setLevels] = useUrlState<readonly LogLevel[]>(
    'levels',
    text => LEVELS.filter(level => text.split(',').includes(level)),
    [],
    value => value.join(','),
  )
  const [text, setText] = useUrlState('log', value => value, '')
  const [isAtEnd, setAtEnd] = useState(true)
  const [isPaused, setPaused] = useState(false)
  const isFollowing = isAtEnd && !isPaused
  const tail = useLogTail(deviceId, { levels, text }, isFollowing)
  const list = useRef<VirtualListHandle>(null)
  const seen = useRef<string | undefined>(undefined)
  const newest = tail.lines?.lines.at(-1)?.log.id
  useEffect(() => {
    if (isFollowing) seen.current = newest
  }, [isFollowing, newest])
  const waiting = countNewer(tail.lines?.lines ?? [], isFollowing ? newest : seen.current)
  const leftOut = tail.lines?.leftOut ?? 0

  const goOn = async () => {
    setPaused(false)
    if (leftOut > 0) await tail.load()
    list.current?.scrollToEnd()
  }
  return (
    <Panel
      title={messages.logs}
      isFlush
      actions={
        <Button
          size="small"
          icon={isFollowing ? 'pause' : 'play'}
          onClick={() => (isFollowing ? setPaused(true) : void goOn())}
        >
          {isFollowing ? messages.pause : messages.follow}
        </Button>
      }
    >
      <div class={styles.filters}>
        <SearchField label={messages.searchLogs} value={text} onValue={setText} />
        <fieldset class={styles.levels} aria-label={messages.levels}>
          {LEVELS.map(level => (
            <Checkbox
              key={level}
              label={level}
              isChecked={levels.length === 0 || levels.includes(level)}
              onValue={isOn => setLevels(toggleLevel(levels, level, isOn))}
            />
          ))}
        </fieldset>
      </div>
      <div class={styles.body}>
        <Lines
          tail={tail}
          isFollowing={isFollowing}
          isFiltered={levels.length > 0 || text !== ''}
          list={list}
          onAtEnd={setAtEnd}
        />
        {!isFollowing && (waiting > 0 || leftOut > 0) && (
          <div class={styles.more}>
            <Button variant="primary" size="small" icon="arrowDown" onClick={() => void goOn()}>
              {messages.newLines(waiting + leftOut)}
            </Button>
          </div>
        )}
      </div>
      {leftOut > 0 && <p class={styles.note}>{messages.full}</p>}
      {text !== '' && <p class={styles.note}>{messages.searchRange}</p>}
    </Panel>
  )
}

function Lines({
  tail,
  isFollowing,
  isFiltered,
  list,
  onAtEnd,
}: {
  tail: ReturnType<typeof useLogTail>
  isFollowing: boolean
  isFiltered: boolean
  list: preact.RefObject<VirtualListHandle | null>
  onAtEnd: (isAtEnd: boolean) => void
}) {
  const { lines, error } = tail
  if (lines === undefined)
    return error === undefined ? (
      <Skeleton rows={10} height={20} />
    ) : (
      <ErrorState text={error.text} onRetry={() => void tail.load()} />
    )
  if (lines.lines.length === 0)
    return isFiltered ? (
      <EmptyState icon="search" title={messages.noLogsMatch} />
    ) : (
      <EmptyState icon="feed" title={messages.noLogs} text={messages.noLogsText} />
    )
  return (
    <>
      <div class={styles.older}>
        {lines.hasOlder ? (
          <Button
            size="small"
            variant="ghost"
            icon="arrowUp"
            isBusy={tail.isLoadingOlder}
            onClick={() => void tail.loadOlder()}
          >
            {messages.loadOlder}
          </Button>
        ) : (
          <span>{messages.beginning}</span>
        )}
      </div>
      <div class={styles.list}>
        <VirtualList
          label={messages.logLines}
          items={lines.lines}
          itemKey={({ log }) => log.id}
          itemHeight={24}
          overscan={20}
          followsEnd={isFollowing}
          onAtEnd={onAtEnd}
          handle={list}
          render={({ log }) => <Line log={log} />}
        />
      </div>
    </>
  )
}

function Line({ log }: { log: LogLineFragment }) {
  const { timezone } = useSpace()
  const [isOpen, setOpen] = useState(false)
  const { level, message, attributes, occurredAt, clockReplaced } = log
  return (
    <div class={styles.line} data-level={level} data-log={log.id}>
      <button
        type="button"
        class={styles.head}
        aria-expanded={isOpen}
        onClick={() => setOpen(before => !before)}
      >
        <time dateTime={occurredAt}>{formatTime(occurredAt, timezone)}</time>
        <span class={styles.level}>{level}</span>
        <span class={isOpen ? styles.whole : styles.message}>{message}</span>
      </button>
      {isOpen && (
        <div class={styles.details}>
          <p>
            {formatDateTime(occurredAt, timezone)}
            {clockReplaced && (
              <>
                {' '}
                <Icon name="clock" size={12} /> {messages.clockReplaced}
              </>
            )}
          </p>
          {attributes !== null && <pre>{JSON.stringify(attributes, null, 2)}</pre>}
        </div>
      )}
    </div>
  )
}

function countNewer(lines: readonly { log: { id: string } }[], than: string | undefined): number {
  if (than === undefined) return 0
  let count = 0
  for (let at = lines.length - 1; at >= 0 && (lines[at]?.log.id ?? '') > than; at--) count++
  return count
}

/** All levels together are the same as none chosen. */
function toggleLevel(levels: readonly LogLevel[], level: LogLevel, isOn: boolean): readonly LogLevel[] {
  const chosen = levels.length === 0 ? LEVELS : levels
  const next = LEVELS.filter(one => (one === level ? isOn : chosen.includes(one)))
  return next.length === LEVELS.length || next.length === 0 ? [] : next
}
