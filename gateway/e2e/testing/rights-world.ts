import { hasMediaWorker } from '../../../media/testing/start-test-media.ts'
import { emailCode, refreshToken as refreshTokenTable } from '../../../schema/mysql/device-tables.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { createEmailCode, digestEmailCode } from '../../../subgraphs/device/email-code.ts'
import { createSecret, digestSecret } from '../../../subgraphs/device/opaque-secret.ts'
import type { Viewer } from '../../../subgraphs/shared/auth/viewer.ts'
import { ROLES, type Role } from '../../../subgraphs/shared/space-access.ts'
import { waitFor } from '../../../subgraphs/shared/testkit/wait-for.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import {
  addFactory,
  addPerson,
  addSession,
  createMissingIds,
  emailOf,
  type Factory,
  type Ids,
} from './factory-world.ts'
import { type KeptRows, keepRows } from './kept-rows.ts'
import type { Secrets, Standing } from './rights-of-operations.ts'
import { SITE_SECRET, startWholeProduct, type WholeProduct } from './whole-product.ts'

/** Where operations point to. */
export const TARGETS = ['own', 'other', 'missing'] as const

/** Where an operation points to: the space of most callers, another one, or nowhere. */
export type Target = (typeof TARGETS)[number]

/** Somebody who calls. */
export interface Caller {
  readonly name: string
  readonly kind: 'person' | 'unproven' | 'device' | 'nobody'
  /** Of a person or device; of nobody it is nothing's. */
  readonly id: string
  readonly viewer: Viewer | null
  /** None for nobody. Another one after `renewTokens`. */
  readonly token: string | undefined
  readonly standing: Readonly<Record<Target, Standing>>
}

/** Two spaces, who is in them and outside, and the product that they call. */
export interface RightsWorld extends AsyncDisposable {
  readonly product: WholeProduct
  readonly own: Factory
  readonly other: Factory
  readonly callers: readonly Caller[]
  readonly secrets: Secrets
  readonly rows: KeptRows
  idsOf(target: Target): Ids
  caller(name: string): Caller
  /** Puts everything back to how it was; callers whose sessions may have ended begin others. */
  restore(): Promise<void>
}

/** Makes the world. */
export async function openRightsWorld(): Promise<RightsWorld> {
  const product = await startWholeProduct()
  const { past, signer } = product
  const loner = await addPerson(product, 'Of no space')
  const unproven = await addPerson(product, 'Not proven', false)
  const own = await addFactory(product, 'marker-of-own', loner)
  const other = await addFactory(product, 'marker-of-other', loner)
  const third = await addFactory(product, 'marker-of-third', loner)
  const missing = createMissingIds()
  const secrets = await addSecrets(product, own, unproven)

  type Person = Omit<Caller, 'token' | 'viewer'>
  const stranger: Caller['standing'] = { own: 'STRANGER', other: 'STRANGER', missing: 'STRANGER' }
  const foreign: Caller['standing'] = { own: 'FOREIGN', other: 'FOREIGN', missing: 'FOREIGN' }
  const person = (name: string, id: string, standing: Partial<Caller['standing']> = {}): Person => {
    return { name, kind: 'person', id, standing: { ...stranger, ...standing } }
  }
  const drafts: Person[] = [
    ...ROLES.map((role: Role) => person(role, own.people[role], { own: role })),
    person('member of a third space', third.people.OPERATOR),
    person('OWNER of the other space', other.people.OWNER, { other: 'OWNER' }),
    person('person of no space', loner),
    { ...person('unproven person', unproven), kind: 'unproven' },
    { name: 'device', kind: 'device', id: own.ids.deviceId, standing: { ...foreign, own: 'ITSELF' } },
    {
      name: 'device of the other space',
      kind: 'device',
      id: other.ids.deviceId,
      standing: { ...foreign, other: 'ITSELF' },
    },
    {
      name: 'nobody',
      kind: 'nobody',
      id: newId(),
      standing: { own: 'NOBODY', other: 'NOBODY', missing: 'NOBODY' },
    },
  ]
  const callers: { -readonly [K in keyof Caller]: Caller[K] }[] = drafts.map(draft => ({
    ...draft,
    viewer: null,
    token: undefined,
  }))

  async function renewTokens(): Promise<void> {
    const expiresAt = Date.now() + 600_000
    for (const caller of callers) {
      const { kind, id } = caller
      if (kind === 'nobody') continue
      if (kind === 'device') {
        const { spaceId } = id === own.ids.deviceId ? own.ids : other.ids
        caller.token = (await signer.signDevice({ deviceId: id, spaceId })).token
        caller.viewer = { kind, deviceId: id, spaceId, expiresAt }
      } else {
        const sessionId = await addSession(product, id)
        caller.token = (await signer.signUser({ userId: id, sessionId })).token
        caller.viewer = { kind: 'user', userId: id, sessionId, expiresAt }
      }
    }
  }

  /** Anew: a call may have ended them, or changed their kind, and so has the time. */
  async function openBroadcasts(): Promise<void> {
    if (!hasMediaWorker) return
    for (const { ids } of [own, other]) {
      const { deviceId } = ids
      const broadcastId = newId()
      await product.media.closeBroadcast({ deviceId })
      await product.media.openBroadcast({ deviceId, broadcastId, ingest: { kind: 'WEBRTC' } })
      await waitFor(async () =>
        (await product.redis.live.get(redisKeys.broadcast(deviceId)))?.includes(broadcastId),
      )
    }
  }

  await renewTokens()
  await openBroadcasts()
  const rows = await keepRows(past)
  return {
    product,
    own,
    other,
    callers,
    secrets,
    rows,
    idsOf: target => (target === 'missing' ? missing : target === 'own' ? own.ids : other.ids),
    caller(name) {
      const found = callers.find(caller => caller.name === name)
      if (found === undefined) throw new TypeError(`Expected a caller of the world, got ${name}.`)
      return found
    },
    async restore() {
      const changed = await rows.restore()
      if (changed.length > 0) product.forget()
      await openBroadcasts()
      if (!changed.includes('session')) return
      await renewTokens()
      await rows.keepAgain('session')
    },
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  }
}

async function addSecrets(
  product: WholeProduct,
  { people, credential, invitationToken }: Factory,
  unproven: string,
): Promise<Secrets> {
  const { db } = product.past
  const [refreshToken, resetToken, code] = [createSecret(), createSecret(), createEmailCode()]
  const sessionId = await addSession(product, people.OWNER)
  const createdAt = new Date(Date.now() - 120_000)
  const expiresAt = new Date(Date.now() + 480_000)
  const dated = { createdAt, expiresAt }
  await db.insert(refreshTokenTable).values({ digest: digestSecret(refreshToken), sessionId, ...dated })
  await db.insert(emailCode).values([
    { userId: people.VIEWER, purpose: 'reset-password', digest: digestSecret(resetToken), ...dated },
    {
      userId: unproven,
      purpose: 'verify-email',
      digest: digestEmailCode(SITE_SECRET, unproven, code),
      ...dated,
    },
  ])
  const unprovenEmail = emailOf(unproven)
  return { credential, invitationToken, refreshToken, resetToken, unprovenEmail, emailCode: code }
}
