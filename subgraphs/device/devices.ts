import { Refusal, refuse } from '../shared/graphql/refusal.ts'
import { isDuplicateEntry } from '../shared/mysql/duplicate-entry.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { insertAudit } from './audit-repository.ts'
import { revokeCredentials } from './credential-repository.ts'
import { codeTaken, readDevice } from './device-registration.ts'
import { findDevices, updateDevice } from './device-repository.ts'
import type { DeviceParent } from './model.ts'
import { diffFields, requireVersion } from './place-edit.ts'
import { findPlaces, standAt } from './place-lookup.ts'
import type { UpdateDeviceInput } from './resolver-types.generated.ts'
import type { Revocations } from './revocations.ts'
import { type Actor, changeTopology } from './topology-change.ts'
import type { TopologyChanges } from './topology-changes.ts'

/** Changes and removes devices. Throws a Refusal for what the caller can mend, and as changeTopology does. */
export interface Devices {
  update(actor: Actor, input: UpdateDeviceInput): Promise<DeviceParent>
  /** Removes a device, ends its credentials and tokens, and has its sessions end. Answers it as it was. */
  remove(actor: Actor, deviceId: string): Promise<DeviceParent>
}

/** Creates the devices of a process. */
export function createDevices({
  revocations,
  ...deps
}: {
  db: Db
  topologyChanges: TopologyChanges
  revocations: Revocations
}): Devices {
  const scopeOf = (deviceId: string) =>
    ({ right: 'devices.change', touches: [{ kind: 'device', ids: [deviceId] }] }) as const

  return {
    async update(actor, input) {
      const { actorId, spaceId } = actor
      const { deviceId, code, name, model } = input
      const { values, problems } = readDevice({ code, name, model })
      return changeTopology(deps, actor, scopeOf(deviceId), async ({ tx }) => {
        const before = await getDevice(tx, actor, deviceId)
        requireVersion(before, input.version)
        const places = await findPlaces(tx, spaceId, [input], before)
        const { problems: misplaced, ...standing } = standAt(places, input, before)
        const userErrors = [...problems, ...misplaced]
        if (userErrors.length > 0) throw new Refusal(userErrors)
        const edited = { ...before, ...values, ...standing }
        const details = diffFields(before, edited, ['code', 'name', 'model', 'lineId', 'processId'])
        if (details === null) return before
        await updateDevice(tx, deviceId, { ...values, ...standing }).catch(error => {
          throw isDuplicateEntry(error) ? new Refusal([codeTaken(edited.code)]) : error
        })
        const target = { type: 'device', id: deviceId, name: before.name } as const
        await insertAudit(tx, { spaceId, actorId, action: 'device.updated', target, details })
        return { ...edited, version: before.version + 1 }
      })
    },

    async remove(actor, deviceId) {
      const { actorId, spaceId } = actor
      const device = await changeTopology(deps, actor, scopeOf(deviceId), async ({ tx, now }) => {
        const before = await getDevice(tx, actor, deviceId)
        await updateDevice(tx, deviceId, { removed: true })
        await revokeCredentials(tx, deviceId, now)
        const target = { type: 'device', id: deviceId, name: before.name } as const
        const details = { code: before.code }
        await insertAudit(tx, { spaceId, actorId, action: 'device.removed', target, details })
        return before
      })
      await revocations.publish({ kind: 'credential-revoked', deviceId, spaceId })
      return device
    },
  }
}

/** Returns a device of the space that has not been removed. Refuses with NOT_FOUND. */
export async function getDevice(tx: Db, { spaceId }: Actor, deviceId: string): Promise<DeviceParent> {
  const [device] = await findDevices(tx, [deviceId])
  if (device?.spaceId !== spaceId || device.removed)
    return refuse('NOT_FOUND', 'deviceId', 'There is no such device.')
  return device
}
