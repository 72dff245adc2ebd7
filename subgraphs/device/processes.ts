import { refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import type { LineParent, ProcessParent } from './model.ts'
import {
  countDevicesOfProcess,
  moveDevicesOfProcess,
  putDevicesOfProcessOnLine,
  upsertProcesses,
} from './place-change-repository.ts'
import { diffFields, findIn, readPlaceEdit, requireFreeName, requireVersion } from './place-edit.ts'
import type {
  CreateProcessInput,
  DeleteProcessInput,
  UpdateProcessInput,
} from './resolver-types.generated.ts'
import { placeAt, renumber } from './sibling-order.ts'
import { listLinesOfSpaces, listProcessesOfSpaces } from './space-repository.ts'
import { type Actor, changeTopology } from './topology-change.ts'
import type { TopologyChanges } from './topology-changes.ts'
import { TOPOLOGY_LIMITS } from './topology-limits.ts'

/** Makes, changes and deletes processes, as Lines does with lines. */
export interface Processes {
  create(actor: Actor, input: CreateProcessInput): Promise<ProcessParent>
  /** Its devices go with it to another line, and stay on theirs when it is to stand for itself. */
  update(actor: Actor, input: UpdateProcessInput): Promise<ProcessParent>
  /** Answers the process as it was. Its devices go to another one. */
  delete(actor: Actor, input: DeleteProcessInput): Promise<ProcessParent>
}

/** Creates the processes of a process of the site. */
export function createProcesses(deps: { db: Db; topologyChanges: TopologyChanges }): Processes {
  const right = 'topology.change'
  const ofProcesses = { right, touches: [{ kind: 'process' }] } as const
  const ofDevicesToo = { right, touches: [{ kind: 'process' }, { kind: 'device' }] } as const
  return {
    async create(actor, input) {
      const { actorId, spaceId } = actor
      const { name = '', position } = readPlaceEdit(input)
      return changeTopology(deps, actor, ofProcesses, async ({ tx }) => {
        const line = await findLine(tx, spaceId, input.lineId)
        const all = await listProcessesOfSpaces(tx, [spaceId])
        if (all.length >= TOPOLOGY_LIMITS.maxProcesses)
          refuse('LIMIT_REACHED', null, `A space has ${TOPOLOGY_LIMITS.maxProcesses} processes at most.`)
        const made: ProcessParent = {
          id: newId(),
          spaceId,
          lineId: line?.id ?? null,
          name,
          position: -1,
          version: 1,
          removed: false,
        }
        const siblings = all.filter(({ lineId }) => lineId === made.lineId)
        requireFreeName(siblings, made, describe(line))
        const changed = renumber(placeAt(siblings, made, position))
        await upsertProcesses(tx, changed)
        const target = { type: 'process', id: made.id, name } as const
        const details = line === null ? undefined : { line: line.name }
        await insertAudit(tx, { spaceId, actorId, action: 'process.created', target, details })
        return changed.find(({ id }) => id === made.id) ?? made
      })
    },

    async update(actor, input) {
      const { actorId, spaceId } = actor
      const edit = readPlaceEdit(input)
      const scope = input.lineId === undefined ? ofProcesses : ofDevicesToo
      return changeTopology(deps, actor, scope, async ({ tx }) => {
        const all = await listProcessesOfSpaces(tx, [spaceId])
        const before = findIn(all, input.processId, 'processId')
        requireVersion(before, input.version)
        const lineId = input.lineId === undefined ? before.lineId : input.lineId
        const line = await findLine(tx, spaceId, lineId)
        const isMoved = lineId !== before.lineId
        const after = { ...before, ...edit, position: before.position, lineId, version: before.version + 1 }
        const siblings = all.filter(process => process.lineId === lineId)
        requireFreeName(siblings, after, describe(line))
        const position = edit.position ?? (isMoved ? siblings.length : siblings.indexOf(before))
        const ordered = placeAt(siblings, after, position)
        const placed = { ...after, position: ordered.indexOf(after) }
        const details = diffFields(before, placed, ['name', 'lineId', 'position'])
        if (details === null) return before
        const left = isMoved
          ? all.filter(({ id, lineId }) => lineId === before.lineId && id !== before.id)
          : []
        const others = renumber(ordered).filter(({ id }) => id !== placed.id)
        await upsertProcesses(tx, [placed, ...others, ...renumber(left)])
        if (isMoved && lineId !== null) await putDevicesOfProcessOnLine(tx, placed.id, lineId)
        const target = { type: 'process', id: before.id, name: before.name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'process.updated', target, details })
        return placed
      })
    },

    async delete(actor, { processId, version, moveDevicesToProcessId: toId }) {
      const { actorId, spaceId } = actor
      return changeTopology(deps, actor, ofDevicesToo, async ({ tx }) => {
        const all = await listProcessesOfSpaces(tx, [spaceId])
        const gone = findIn(all, processId, 'processId')
        requireVersion(gone, version)
        const details = await empty(tx, gone, all, toId)
        const others = all.filter(({ id, lineId }) => lineId === gone.lineId && id !== processId)
        await upsertProcesses(tx, [
          { ...gone, version: gone.version + 1, removed: true },
          ...renumber(others),
        ])
        const target = { type: 'process', id: processId, name: gone.name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'process.deleted', target, details })
        return gone
      })
    },
  }

  /** Moves the devices of a process that goes to another; answers how many, for the audit. */
  async function empty(
    tx: Db,
    gone: ProcessParent,
    all: readonly ProcessParent[],
    toId: string | null | undefined,
  ): Promise<Record<string, unknown>> {
    const field = 'moveDevicesToProcessId'
    if (toId === gone.id) refuse('BAD_USER_INPUT', field, 'This is the process to delete: name another.')
    const to = toId == null ? null : findIn(all, toId, field)
    const devices = await countDevicesOfProcess(tx, gone.id)
    if (devices === 0) return {}
    if (to === null)
      return refuse(
        'BAD_USER_INPUT',
        field,
        `The process has ${devices} devices: name the process that they go to.`,
      )
    await moveDevicesOfProcess(tx, gone.id, to)
    return { movedTo: { id: to.id, name: to.name }, devices }
  }
}

async function findLine(
  tx: Db,
  spaceId: string,
  lineId: string | null | undefined,
): Promise<LineParent | null> {
  return lineId == null ? null : findIn(await listLinesOfSpaces(tx, [spaceId]), lineId, 'lineId')
}

function describe(line: LineParent | null): string {
  return `${line === null ? 'The space' : line.name} has a process`
}
