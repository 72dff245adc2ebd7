import { useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DeletePlaceDialog } from './delete-place-dialog.tsx'
import type { FloorActions, OpenPlace } from './floor-actions.ts'
import { FloorLineItem, FloorProcessItem } from './floor-items.tsx'
import styles from './floor-section.module.css'
import { messages } from './messages.ts'
import { PlaceDialog } from './place-dialog.tsx'
import { mayManage } from './roles.ts'
import sectionStyles from './section.module.css'
import { UpdateLineDocument, UpdateProcessDocument } from './settings.generated.ts'
import { useAction } from './use-action.ts'
import { useFloor } from './use-floor.ts'

/** Lines and processes: made, named, and put in order by drag and drop or by their menus. */
export function FloorSection() {
  const { viewerRole } = useSpace()
  const floor = useFloor()
  const { lines, processes } = floor
  const [open, setOpen] = useState<OpenPlace | undefined>(undefined)
  const lineUpdate = useAction(UpdateLineDocument)
  const processUpdate = useAction(UpdateProcessDocument)

  if (!floor.isLoaded)
    return floor.error === undefined ? (
      <Skeleton rows={6} height={44} />
    ) : (
      <ErrorState text={floor.error.text} onRetry={() => void floor.reload()} />
    )

  const isManager = mayManage(viewerRole)
  const actions: FloorActions = {
    isManager,
    open: setOpen,
    async moveLine({ id, version, name }, position) {
      await lineUpdate.run({ input: { lineId: id, version, position } }, messages.moved(name))
      await floor.reload()
    },
    async moveProcess({ id, version, name }, lineId, position) {
      await processUpdate.run({ input: { processId: id, version, lineId, position } }, messages.moved(name))
      await floor.reload()
    },
    drop(dragged, { line, process }) {
      if (dragged.kind === 'line') {
        const moved = lines.find(({ id }) => id === dragged.id)
        const position = lines.findIndex(({ id }) => id === line?.id)
        if (moved !== undefined && position >= 0) void actions.moveLine(moved, position)
        return
      }
      const moved = processes.find(({ id }) => id === dragged.id)
      const position = process === undefined ? processes.length - 1 : processes.indexOf(process)
      if (moved !== undefined) void actions.moveProcess(moved, line?.id ?? null, position)
    },
  }
  const loose = processes.filter(({ line }) => line === null)

  return (
    <div class={sectionStyles.section}>
      {isManager && (
        <div class={styles.bar}>
          <p class={sectionStyles.note}>{messages.dragHint}</p>
          <Button
            variant="primary"
            icon="plus"
            onClick={() => setOpen({ kind: 'save', place: { kind: 'line' } })}
          >
            {messages.newLine}
          </Button>
          <Button
            icon="plus"
            onClick={() => setOpen({ kind: 'save', place: { kind: 'process', lineId: null } })}
          >
            {messages.newProcess}
          </Button>
        </div>
      )}
      {lines.length === 0 && loose.length === 0 ? (
        <EmptyState icon="grid" title={messages.noLines} text={messages.noLinesText} />
      ) : (
        <Panel title={messages.floor} count={lines.length}>
          <ul class={styles.lines}>
            {lines.map((line, position) => (
              <FloorLineItem
                key={line.id}
                line={line}
                position={position}
                lineCount={lines.length}
                lines={lines}
                processes={processes}
                actions={actions}
              />
            ))}
          </ul>
          {loose.length > 0 && (
            <>
              <h3 class={styles.loose}>{messages.noLine}</h3>
              <ul class={styles.processes}>
                {loose.map(process => (
                  <FloorProcessItem
                    key={process.id}
                    process={process}
                    line={null}
                    siblings={loose}
                    lines={lines}
                    processes={processes}
                    actions={actions}
                  />
                ))}
              </ul>
            </>
          )}
        </Panel>
      )}
      {open?.kind === 'save' && (
        <PlaceDialog
          place={open.place}
          lines={lines}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined)
            void floor.reload()
          }}
        />
      )}
      {open?.kind === 'delete' && (
        <DeletePlaceDialog
          place={open.place}
          others={open.place.kind === 'line' ? lines : processes}
          onClose={() => setOpen(undefined)}
          onDeleted={() => {
            setOpen(undefined)
            void floor.reload()
          }}
        />
      )}
    </div>
  )
}
