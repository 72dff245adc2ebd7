import type { Db } from '../shared/mysql/open-mysql.ts'
import { isUuidV7, newId } from '../shared/uuid-v7.ts'
import { insertAudit } from './audit-repository.ts'
import { insertCredentials } from './credential-repository.ts'
import { insertDevices } from './device-repository.ts'
import { isDuplicateEntry } from './duplicate-entry.ts'
import type { DeviceParent, LineParent, ProcessParent } from './model.ts'
import { createSecret, digestSecret } from './opaque-secret.ts'
import type { RegisterDeviceInput, UserError } from './resolver-types.generated.ts'
import { findLines, findProcesses } from './space-repository.ts'

/** What came of a registration: the device with its credential, or what the caller can mend. */
export type Registration =
  | { device: DeviceParent; credential: string; userErrors: [] }
  | { device: null; credential: null; userErrors: UserError[] }

/** Control characters, and the separators that break lines. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Registers a device with its first credential in a space where the caller has let the actor, in one transaction. */
export async function registerDevice(
  db: Db,
  actorId: string,
  input: RegisterDeviceInput,
): Promise<Registration> {
  const userErrors: UserError[] = []
  const code = readText(userErrors, 'code', input.code, 1, 64)
  const name = readText(userErrors, 'name', input.name, 1, 128)
  const model = readText(userErrors, 'model', input.model ?? '', 0, 128) || null
  const line = await findPlace<LineParent>(userErrors, 'lineId', input, id => findLines(db, [id]))
  const process = await findPlace<ProcessParent>(userErrors, 'processId', input, id =>
    findProcesses(db, [id]),
  )
  if (line !== null && process?.lineId != null && process.lineId !== line.id) {
    const message = 'This process belongs to another line than lineId.'
    userErrors.push({ code: 'BAD_USER_INPUT', message, field: 'processId' })
  }
  if (userErrors.length > 0) return refuse(userErrors)

  const device: DeviceParent = {
    id: newId(),
    spaceId: input.spaceId,
    lineId: line?.id ?? process?.lineId ?? null,
    processId: process?.id ?? null,
    code,
    name,
    model,
    createdAt: new Date(),
    removed: false,
  }
  const credential = createSecret()
  try {
    await db.transaction(async tx => {
      await insertDevices(tx, [device])
      const { id: deviceId, spaceId, createdAt } = device
      await insertCredentials(tx, [{ digest: digestSecret(credential), deviceId, createdAt }])
      await insertAudit(tx, {
        spaceId,
        actorId,
        action: 'device.registered',
        target: { type: 'device', id: deviceId, name },
        details: { code },
      })
    })
  } catch (error) {
    if (!isDuplicateEntry(error)) throw error
    const message = `The space has a device of the code ${code}. Codes are unique in a space.`
    return refuse([{ code: 'CONFLICT', message, field: 'code' }])
  }
  return { device, credential, userErrors: [] }
}

function refuse(userErrors: UserError[]): Registration {
  return { device: null, credential: null, userErrors }
}

/** Returns the text trimmed and in Unicode's composed form, so that equal looks are equal codes. */
function readText(errors: UserError[], field: string, given: string, min: number, max: number): string {
  const text = given.trim().normalize('NFC')
  const length = [...text].length
  if (length < min || length > max)
    errors.push({ code: 'BAD_USER_INPUT', message: `${field} has ${min} to ${max} characters.`, field })
  else if (UNPRINTABLE.test(text) || !text.isWellFormed())
    errors.push({ code: 'BAD_USER_INPUT', message: `${field} holds control characters.`, field })
  return text
}

async function findPlace<Place extends { spaceId: string }>(
  errors: UserError[],
  field: 'lineId' | 'processId',
  input: RegisterDeviceInput,
  find: (id: string) => Promise<Place[]>,
): Promise<Place | null> {
  const id = input[field]
  if (id == null) return null
  const [place] = isUuidV7(id) ? await find(id) : []
  if (place?.spaceId === input.spaceId) return place
  errors.push({ code: 'NOT_FOUND', message: `The space has nothing of this ${field}.`, field })
  return null
}
