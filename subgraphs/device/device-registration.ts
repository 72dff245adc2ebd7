import { Refusal, refuse } from '../shared/graphql/refusal.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { parseName } from '../shared/text/parse-name.ts'
import type { Parsed } from '../shared/text/parsed.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import { insertCredentials } from './credential-repository.ts'
import { countDevicesOfSpace, findCodes, insertDevices } from './device-repository.ts'
import type { DeviceParent, RegisteredDeviceParent } from './model.ts'
import { createSecret, digestSecret } from './opaque-secret.ts'
import { findPlaces, standAt } from './place-lookup.ts'
import type { NewDeviceInput, UserError } from './resolver-types.generated.ts'
import { type Actor, changeTopology } from './topology-change.ts'
import type { TopologyChanges } from './topology-changes.ts'
import { TOPOLOGY_LIMITS } from './topology-limits.ts'

/** Longest code of a device, in characters. */
export const MAX_CODE_LENGTH = 64

/**
 * Registers devices with their first credentials, all or none. Refuses every problem of every device; `pathOf` says the
 * path of a field of one of them.
 */
export async function registerDevices(
  deps: { db: Db; topologyChanges: TopologyChanges },
  actor: Actor,
  inputs: readonly NewDeviceInput[],
  pathOf: (index: number, field: string) => string,
): Promise<RegisteredDeviceParent[]> {
  const { spaceId, actorId } = actor
  const rows = inputs.map(({ code, name, model }) => readDevice({ code, name, model }))
  const ids = inputs.map(() => newId())
  const scope = { right: 'devices.change', touches: [{ kind: 'device', ids }] } as const
  return changeTopology(deps, actor, scope, async ({ tx, now: createdAt }) => {
    const problems = rows.map(({ problems }) => [...problems])
    const places = await findPlaces(tx, spaceId, inputs)
    const devices = inputs.map((input, i): DeviceParent => {
      const { lineId, processId, ...standing } = standAt(places, input, { lineId: null, processId: null })
      problems[i]?.push(...standing.problems)
      const { code = '', name = '', model = null } = rows[i]?.values ?? {}
      const id = ids[i] ?? newId()
      return { id, spaceId, lineId, processId, code, name, model, createdAt, removed: false, version: 1 }
    })
    const taken = await findCodes(
      tx,
      spaceId,
      devices.map(({ code }) => code).filter(code => code !== ''),
    )
    for (const [i, { code }] of devices.entries()) {
      if (taken.has(code)) problems[i]?.push(codeTaken(code))
      else if (code !== '') taken.add(code)
    }
    const userErrors = problems.flatMap((ofDevice, i) =>
      ofDevice.map(problem => ({ ...problem, field: pathOf(i, problem.field ?? '') })),
    )
    if (userErrors.length > 0) throw new Refusal(userErrors)
    if ((await countDevicesOfSpace(tx, spaceId)) + devices.length > TOPOLOGY_LIMITS.maxDevices)
      refuse('LIMIT_REACHED', null, `A space has ${TOPOLOGY_LIMITS.maxDevices} devices at most.`)

    const registered = devices.map(device => ({ device, credential: createSecret() }))
    await insertDevices(tx, devices)
    await insertCredentials(
      tx,
      registered.map(({ device: { id }, credential }) => ({
        digest: digestSecret(credential),
        deviceId: id,
        createdAt,
      })),
    )
    await insertAudit(
      tx,
      ...devices.map(({ id, name, code }) => ({
        spaceId,
        actorId,
        action: 'device.registered' as const,
        target: { type: 'device' as const, id, name },
        details: { code },
      })),
    )
    return registered
  })
}

/** What an input says of a device itself; what is left out stays. */
interface DeviceInput {
  readonly code?: string | null | undefined
  readonly name?: string | null | undefined
  readonly model?: string | null | undefined
}

/** Reads what a device is called, with every problem of it. An empty model, or null, is none. */
export function readDevice({ code, name, model }: DeviceInput): {
  values: { code?: string; name?: string; model?: string | null }
  problems: UserError[]
} {
  const problems: UserError[] = []
  const read = (field: string, { value, problem }: Parsed): string | undefined => {
    if (problem !== undefined)
      problems.push({ code: 'BAD_USER_INPUT', message: `${field} ${problem}`, field })
    return value
  }
  const values: { code?: string; name?: string; model?: string | null } = {}
  // Composed, without spaces around it: equal looks are equal codes.
  if (code != null) values.code = read('code', parseName(code, { max: MAX_CODE_LENGTH })) ?? ''
  if (name != null) values.name = read('name', parseName(name)) ?? ''
  if (model !== undefined) values.model = read('model', parseName(model ?? '', { min: 0 })) || null
  return { values, problems }
}

/** Says that another device of the space has a code. */
export function codeTaken(code: string): UserError {
  const message = `The space has a device of the code ${code}. Codes are unique in a space.`
  return { code: 'CONFLICT', message, field: 'code' }
}
