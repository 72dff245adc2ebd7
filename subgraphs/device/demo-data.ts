import { createHmac } from 'node:crypto'
import type { DemoDevice } from '../shared/demo/demo-fleet.ts'
import { isDuplicateEntry } from '../shared/mysql/duplicate-entry.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { newId } from '../shared/uuid-v7.ts'
import { insertCredentials } from './credential-repository.ts'
import { findDemoDevices, insertDemoSpace } from './demo-repository.ts'
import { insertDevices } from './device-repository.ts'
import { digestSecret } from './opaque-secret.ts'
import { hashPassword } from './password-hasher.ts'
import { findUserByEmail, hasUsers, insertUser } from './user-repository.ts'

/** Who signs in to the demo. */
export const DEMO_SIGN_IN = { email: 'demo@nuvion.local', password: 'nuvion-demo' } as const

/** Lines with their process and its devices: name, code, model. */
const LINES = [
  {
    name: 'Stamping',
    process: 'Press',
    devices: [
      ['Press controller', 'ST-PLC-01', 'Siemens S7-1215C'],
      ['Press vibration sensor', 'ST-VIB-01', 'ifm VVB001 vibration'],
      ['Press camera', 'ST-CAM-01', 'Basler ace 2 camera'],
    ],
  },
  {
    name: 'Welding',
    process: 'Spot weld',
    devices: [
      ['Weld robot controller', 'WD-PLC-01', 'KUKA KR C5'],
      ['Weld thermal sensor', 'WD-TMP-01', 'Optris CT thermometer'],
      ['Weld seam camera', 'WD-CAM-01', 'Cognex In-Sight vision'],
    ],
  },
  {
    name: 'Painting',
    process: 'Spray booth',
    devices: [
      ['Booth controller', 'PT-PLC-01', 'Mitsubishi FX5U'],
      ['Booth humidity sensor', 'PT-HUM-01', 'Vaisala HMT120 sensor'],
      ['Finish camera', 'PT-CAM-01', 'Keyence CV-X vision'],
    ],
  },
  {
    name: 'Assembly',
    process: 'Final assembly',
    devices: [
      ['Conveyor controller', 'AS-PLC-01', 'Omron NX1P2'],
      ['Torque sensor', 'AS-TRQ-01', 'Kistler 4503 sensor'],
      ['Inspection camera', 'AS-CAM-01', 'Basler boost camera'],
    ],
  },
] as const

/** Derives the credential of a demo device: HMAC-SHA-256 under a secret of the site, so that it need not be kept. */
export function deriveDemoCredential(secret: string, deviceId: string): string {
  return createHmac('sha256', secret).update(`demo-credential:${deviceId}`).digest('base64url')
}

/**
 * Fills a database that has no people with a demo: a user who owns a space of 4 lines, 4 processes and 12 devices.
 * Answers the demo's devices by code, those made now or before; one whose credential has been changed meanwhile, or
 * that has been removed, is left out. Empty when the database is in use for something else.
 *
 * `deriveCredential` answers the same for a device at every start (256 bits, base64url).
 */
export async function seedDemo({
  db,
  deriveCredential,
}: {
  db: Db
  deriveCredential: (deviceId: string) => string
}): Promise<DemoDevice[]> {
  if (!(await hasUsers(db))) await createDemo(db, deriveCredential)
  const found = await findUserByEmail(db, DEMO_SIGN_IN.email)
  if (found === undefined) return []
  const devices: DemoDevice[] = []
  for (const { digest, ...device } of await findDemoDevices(db, found.user.id)) {
    const credential = deriveCredential(device.deviceId)
    if (digestSecret(credential).equals(digest)) devices.push({ ...device, credential })
  }
  return devices
}

async function createDemo(db: Db, deriveCredential: (deviceId: string) => string): Promise<void> {
  const createdAt = new Date()
  const userId = newId()
  const passwordHash = await hashPassword(DEMO_SIGN_IN.password)
  const space = { id: newId(), name: 'Demo factory', timezone: 'Asia/Seoul', createdAt }
  const lines = LINES.map(({ name }, position) => ({ id: newId(), spaceId: space.id, name, position }))
  const processes = LINES.map(({ process }, i) => ({
    id: newId(),
    spaceId: space.id,
    lineId: lines[i]?.id ?? null,
    name: process,
    position: 0,
  }))
  const devices = LINES.flatMap((line, i) =>
    line.devices.map(([name, code, model]) => ({
      id: newId(),
      spaceId: space.id,
      lineId: lines[i]?.id ?? null,
      processId: processes[i]?.id ?? null,
      name,
      code,
      model,
      createdAt,
    })),
  )
  const credentials = devices.map(({ id }) => ({
    digest: digestSecret(deriveCredential(id)),
    deviceId: id,
    createdAt,
  }))
  try {
    await db.transaction(async tx => {
      const { email } = DEMO_SIGN_IN
      const emailVerifiedAt = createdAt
      // First, as its address is unique: of several processes that start at once one makes the demo.
      await insertUser(tx, { id: userId, email, name: 'Demo', passwordHash, emailVerifiedAt, createdAt })
      await insertDemoSpace(tx, { space, ownerId: userId, lines, processes })
      await insertDevices(tx, devices)
      await insertCredentials(tx, credentials)
    })
  } catch (error) {
    if (!isDuplicateEntry(error)) throw error
  }
}
