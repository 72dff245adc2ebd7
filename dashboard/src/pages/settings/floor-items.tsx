import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { FloorActions } from './floor-actions.ts'
import styles from './floor-section.module.css'
import { messages } from './messages.ts'
import { useDraggable } from './use-draggable.ts'
import type { FloorLine, FloorProcess } from './use-floor.ts'

interface Floor {
  readonly lines: readonly FloorLine[]
  readonly processes: readonly FloorProcess[]
  readonly actions: FloorActions
}

/** A line with its processes. */
export function FloorLineItem({
  line,
  position,
  lineCount,
  ...floor
}: Floor & { line: FloorLine; position: number; lineCount: number }) {
  const { processes, actions } = floor
  const { element, handle, isDragged, isOver } = useDraggable({
    item: { kind: 'line', id: line.id },
    accepts: ['line', 'process'],
    isEnabled: actions.isManager,
    onDrop: dragged => actions.drop(dragged, { line }),
  })
  const own = processes.filter(process => process.line?.id === line.id)
  return (
    <li ref={element} class={styles.line} data-dragged={isDragged} data-over={isOver} data-testid="line">
      <div class={styles.item}>
        {actions.isManager && (
          <span ref={handle} class={styles.handle} title={messages.drag(line.name)}>
            <Icon name="drag" />
          </span>
        )}
        <h3 class={styles.name}>{line.name}</h3>
        {actions.isManager && (
          <Menu
            label={messages.actions(line.name)}
            trigger={<Icon name="more" />}
            align="end"
            items={[
              {
                ...{ key: 'rename', label: messages.rename, icon: 'edit' },
                onPress: () => actions.open({ kind: 'save', place: { kind: 'line', saved: line } }),
              },
              {
                ...{ key: 'add', label: messages.addProcess(line.name), icon: 'plus' },
                onPress: () => actions.open({ kind: 'save', place: { kind: 'process', lineId: line.id } }),
              },
              {
                ...{ key: 'up', label: messages.moveUp, icon: 'arrowUp', isDisabled: position === 0 },
                onPress: () => void actions.moveLine(line, position - 1),
              },
              {
                ...{ key: 'down', label: messages.moveDown, icon: 'arrowDown' },
                isDisabled: position === lineCount - 1,
                onPress: () => void actions.moveLine(line, position + 1),
              },
              {
                ...{ key: 'delete', label: messages.deleteLine, icon: 'trash', isDangerous: true },
                startsGroup: true,
                onPress: () => actions.open({ kind: 'delete', place: { kind: 'line', ...line } }),
              },
            ]}
          />
        )}
      </div>
      {own.length > 0 && (
        <ul class={styles.processes}>
          {own.map(process => (
            <FloorProcessItem key={process.id} process={process} line={line} siblings={own} {...floor} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** A process, on a line or for itself. */
export function FloorProcessItem({
  process,
  line,
  siblings,
  lines,
  processes,
  actions,
}: Floor & { process: FloorProcess; line: FloorLine | null; siblings: readonly FloorProcess[] }) {
  const { element, handle, isDragged, isOver } = useDraggable({
    item: { kind: 'process', id: process.id },
    accepts: ['process'],
    isEnabled: actions.isManager,
    onDrop: dragged => actions.drop(dragged, { line, process }),
  })
  const at = siblings.indexOf(process)
  const [before, after] = [siblings[at - 1], siblings[at + 1]]
  const positionOf = (other: FloorProcess) => processes.indexOf(other)
  return (
    <li
      ref={element}
      class={styles.process}
      data-dragged={isDragged}
      data-over={isOver}
      data-testid="process"
    >
      <div class={styles.item}>
        {actions.isManager && (
          <span ref={handle} class={styles.handle} title={messages.drag(process.name)}>
            <Icon name="drag" />
          </span>
        )}
        <span class={styles.name}>{process.name}</span>
        {actions.isManager && (
          <Menu
            label={messages.actions(process.name)}
            trigger={<Icon name="more" />}
            align="end"
            items={[
              {
                ...{ key: 'rename', label: messages.rename, icon: 'edit' },
                onPress: () =>
                  actions.open({
                    kind: 'save',
                    place: { kind: 'process', lineId: line?.id ?? null, saved: process },
                  }),
              },
              {
                ...{ key: 'up', label: messages.moveUp, icon: 'arrowUp', isDisabled: before === undefined },
                onPress: () =>
                  before && void actions.moveProcess(process, line?.id ?? null, positionOf(before)),
              },
              {
                ...{
                  key: 'down',
                  label: messages.moveDown,
                  icon: 'arrowDown',
                  isDisabled: after === undefined,
                },
                onPress: () =>
                  after && void actions.moveProcess(process, line?.id ?? null, positionOf(after)),
              },
              ...[...lines, null]
                .filter(other => other?.id !== line?.id)
                .map((other, index) => ({
                  ...{ key: other?.id ?? 'none', startsGroup: index === 0 },
                  label: messages.moveTo(other?.name ?? messages.noLine),
                  onPress: () => void actions.moveProcess(process, other?.id ?? null, processes.length - 1),
                })),
              {
                ...{ key: 'delete', label: messages.deleteProcess, icon: 'trash', isDangerous: true },
                startsGroup: true,
                onPress: () => {
                  const { id, name, version } = process
                  actions.open({ kind: 'delete', place: { kind: 'process', id, name, version } })
                },
              },
            ]}
          />
        )}
      </div>
    </li>
  )
}
