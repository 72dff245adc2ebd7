import { useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import type { WatchInput } from '../../graphql/schema-types.generated.ts'
import { request } from '../../graphql/session.ts'
import type { QueryState } from '../../graphql/use-query.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { findUserErrors } from '../../graphql/user-problem.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { userErrorText } from '../../ui/form-errors.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  UnwatchDocument,
  WatchableFloorDocument,
  WatchDocument,
  type WatchesQuery,
} from './feed.generated.ts'
import { messages } from './messages.ts'
import { type NamedWatch, nameWatch } from './watch-name.ts'
import styles from './watches-panel.module.css'

/** What the person watches: looked at, ended, and more of it. `onChanged` is called once it has changed. */
export function WatchesPanel({
  watches,
  onChanged,
}: {
  watches: QueryState<WatchesQuery>
  onChanged: () => void
}) {
  const listed = watches.data?.watches
  const named = listed?.flatMap(({ target }) => (target === null ? [] : nameWatch(target)))
  const stop = async (one: NamedWatch) => {
    const input = { kind: one.kind, id: one.id }
    if (!(await changeWatch(UnwatchDocument, input))) return
    onChanged()
    showToast('info', messages.stopped(one.name), {
      label: messages.undo,
      onPress: () => void changeWatch(WatchDocument, input).then(isDone => isDone && onChanged()),
    })
  }
  return (
    <Panel title={messages.watches} count={named?.length}>
      <div class={styles.panel}>
        <p class={styles.covers}>{messages.covers}</p>
        {named === undefined ? (
          watches.error === undefined ? (
            <Skeleton rows={3} height={40} />
          ) : (
            <ErrorState text={watches.error.text} onRetry={() => void watches.reload()} />
          )
        ) : (
          <>
            <ul class={styles.list}>
              {named.map(one => (
                <li key={one.id} class={styles.watch}>
                  <span class={styles.words}>
                    <span class={styles.name}>
                      <span class={styles.kind}>{one.kindText}</span>{' '}
                      {one.href === undefined ? one.name : <a href={one.href}>{one.name}</a>}
                    </span>
                    <span class={styles.what}>{one.covers}</span>
                  </span>
                  <IconButton
                    icon="close"
                    size="small"
                    label={messages.stop(one.name)}
                    onClick={() => void stop(one)}
                  />
                </li>
              ))}
            </ul>
            <AddWatch watched={new Set(named.map(({ id }) => id))} onChanged={onChanged} />
          </>
        )}
      </div>
    </Panel>
  )
}

function AddWatch({ watched, onChanged }: { watched: ReadonlySet<string>; onChanged: () => void }) {
  const { id: spaceId } = useSpace()
  const floor = useQuery(WatchableFloorDocument, { spaceId })
  const [chosen, setChosen] = useState('')
  const [isRunning, setRunning] = useState(false)
  const space = floor.data?.space
  if (space == null) return null
  const options = [
    { value: `SPACE ${space.id}`, label: `${messages.wholeSpace}: ${space.name}` },
    ...space.lines.map(({ id, name }) => ({ value: `LINE ${id}`, label: `${messages.line}: ${name}` })),
    ...space.processes.map(({ id, name }) => ({
      value: `PROCESS ${id}`,
      label: `${messages.process}: ${name}`,
    })),
  ].filter(({ value }) => !watched.has(value.split(' ')[1] ?? ''))
  const add = async (event: Event) => {
    event.preventDefault()
    const [kind, id = ''] = chosen.split(' ')
    setRunning(true)
    const isDone = await changeWatch(WatchDocument, { kind: kind as WatchInput['kind'], id })
    setRunning(false)
    if (!isDone) return
    setChosen('')
    onChanged()
  }
  return (
    <form class={styles.add} onSubmit={event => void add(event)}>
      <Select
        label={messages.add}
        value={chosen}
        options={[{ value: '', label: messages.choose }, ...options]}
        onValue={setChosen}
      />
      <Button type="submit" icon="plus" disabled={chosen === ''} isBusy={isRunning}>
        {messages.watch}
      </Button>
    </form>
  )
}

/** Watches, or ends a watch. Answers whether that worked; otherwise it was said why not. */
export async function changeWatch(
  document: typeof WatchDocument | typeof UnwatchDocument,
  input: WatchInput,
): Promise<boolean> {
  try {
    const { data } = await request(document as typeof WatchDocument, { input })
    const [problem] = findUserErrors(data)
    if (problem !== undefined) showToast('error', userErrorText(problem))
    return problem === undefined
  } catch {
    showToast('error', messages.failed)
    return false
  }
}
