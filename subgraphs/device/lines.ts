import { refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import type { LineParent } from './model.ts'
import {
  countDevicesOfLine,
  moveDevicesOfLine,
  upsertLines,
  upsertProcesses,
} from './place-change-repository.ts'
import { diffFields, findIn, readPlaceEdit, requireFreeName, requireVersion } from './place-edit.ts'
import type { CreateLineInput, DeleteLineInput, UpdateLineInput } from './resolver-types.generated.ts'
import { placeAt, renumber } from './sibling-order.ts'
import { listLinesOfSpaces, listProcessesOfSpaces } from './space-repository.ts'
import { type Actor, changeTopology } from './topology-change.ts'
import type { TopologyChanges } from './topology-changes.ts'
import { TOPOLOGY_LIMITS } from './topology-limits.ts'

/**
 * Makes, changes and deletes lines, one change of a space at a time. Throws a Refusal for what the caller can mend, and as
 * changeTopology does.
 */
export interface Lines {
  create(actor: Actor, input: CreateLineInput): Promise<LineParent>
  update(actor: Actor, input: UpdateLineInput): Promise<LineParent>
  /** Answers the line as it was. Its processes and devices go to another one. */
  delete(actor: Actor, input: DeleteLineInput): Promise<LineParent>
}

const TAKEN = 'The space has a line'

/** Creates the lines of a process. */
export function createLines(deps: { db: Db; topologyChanges: TopologyChanges }): Lines {
  const right = 'topology.change'
  const ofLines = { right, touches: [{ kind: 'line' }] } as const
  const ofAll = { right, touches: [{ kind: 'line' }, { kind: 'process' }, { kind: 'device' }] } as const
  return {
    async create(actor, input) {
      const { actorId, spaceId } = actor
      const { name = '', position } = readPlaceEdit(input)
      return changeTopology(deps, actor, ofLines, async ({ tx }) => {
        const lines = await listLinesOfSpaces(tx, [spaceId])
        if (lines.length >= TOPOLOGY_LIMITS.maxLines)
          refuse('LIMIT_REACHED', null, `A space has ${TOPOLOGY_LIMITS.maxLines} lines at most.`)
        const made: LineParent = { id: newId(), spaceId, name, position: -1, version: 1, removed: false }
        requireFreeName(lines, made, TAKEN)
        const changed = renumber(placeAt(lines, made, position))
        await upsertLines(tx, changed)
        const target = { type: 'line', id: made.id, name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'line.created', target })
        return changed.find(({ id }) => id === made.id) ?? made
      })
    },

    async update(actor, input) {
      const { actorId, spaceId } = actor
      const edit = readPlaceEdit(input)
      return changeTopology(deps, actor, ofLines, async ({ tx }) => {
        const lines = await listLinesOfSpaces(tx, [spaceId])
        const before = findIn(lines, input.lineId, 'lineId')
        requireVersion(before, input.version)
        const after = { ...before, ...edit, position: before.position, version: before.version + 1 }
        requireFreeName(lines, after, TAKEN)
        const ordered = placeAt(lines, after, edit.position ?? lines.indexOf(before))
        const placed = { ...after, position: ordered.indexOf(after) }
        const details = diffFields(before, placed, ['name', 'position'])
        if (details === null) return before
        await upsertLines(tx, [placed, ...renumber(ordered).filter(({ id }) => id !== placed.id)])
        const target = { type: 'line', id: before.id, name: before.name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'line.updated', target, details })
        return placed
      })
    },

    async delete(actor, { lineId, version, moveDevicesToLineId }) {
      const { actorId, spaceId } = actor
      return changeTopology(deps, actor, ofAll, async ({ tx }) => {
        const lines = await listLinesOfSpaces(tx, [spaceId])
        const gone = findIn(lines, lineId, 'lineId')
        requireVersion(gone, version)
        const details = await empty(tx, gone, lines, moveDevicesToLineId)
        const others = lines.filter(({ id }) => id !== lineId)
        await upsertLines(tx, [{ ...gone, version: gone.version + 1, removed: true }, ...renumber(others)])
        const target = { type: 'line', id: lineId, name: gone.name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'line.deleted', target, details })
        return gone
      })
    },
  }

  /** Moves what stands on a line that goes to another; answers what, for the audit. */
  async function empty(
    tx: Db,
    gone: LineParent,
    lines: readonly LineParent[],
    toId: string | null | undefined,
  ): Promise<Record<string, unknown>> {
    const field = 'moveDevicesToLineId'
    if (toId === gone.id) refuse('BAD_USER_INPUT', field, 'This is the line to delete: name another.')
    const to = toId == null ? null : findIn(lines, toId, field)
    const all = await listProcessesOfSpaces(tx, [gone.spaceId])
    const processes = all.filter(({ lineId }) => lineId === gone.id)
    const devices = await countDevicesOfLine(tx, gone.id)
    if (devices === 0 && processes.length === 0) return {}
    if (to === null) {
      const what = `${devices} devices and ${processes.length} processes`
      return refuse('BAD_USER_INPUT', field, `The line has ${what}: name the line that they go to.`)
    }
    const there = all.filter(({ lineId }) => lineId === to.id)
    for (const process of processes) requireFreeName(there, process, `${to.name} has a process`, field)
    await upsertProcesses(
      tx,
      processes.map((process, i) => ({
        ...process,
        lineId: to.id,
        position: there.length + i,
        version: process.version + 1,
      })),
    )
    if (devices > 0) await moveDevicesOfLine(tx, gone.id, to.id)
    return { movedTo: { id: to.id, name: to.name }, devices, processes: processes.length }
  }
}
