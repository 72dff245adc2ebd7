import { createHash } from 'node:crypto'
import type { AnomalyState, BroadcastEvent, FeedNews } from '../../../schema/live-event.ts'
import { anomaly, anomalyComment, clip } from '../../../schema/mysql/anomaly-tables.ts'
import {
  audit,
  device,
  deviceCredential,
  invitation,
  line,
  membership,
  process,
  session,
  space,
  user,
} from '../../../schema/mysql/device-tables.ts'
import { anomalyOccurrence, deviceStatus, log, presenceEvent } from '../../../schema/mysql/ingest-tables.ts'
import { watch } from '../../../schema/mysql/watch-tables.ts'
import { redisKeys } from '../../../schema/redis-keys.ts'
import { createSecret, digestSecret } from '../../../subgraphs/device/opaque-secret.ts'
import { hashPassword } from '../../../subgraphs/device/password-hasher.ts'
import { serializePresenceValue } from '../../../subgraphs/shared/presence-value.ts'
import { ROLES, type Role } from '../../../subgraphs/shared/space-access.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import type { WholeProduct } from './whole-product.ts'

/** Password of everybody in the world. */
export const PASSWORD = 'correct horse battery'

/** Code of the device of each space: the same everywhere. */
export const DEVICE_CODE = 'PRESS-1'

/**
 * What there is to name in a space. `userId` is that of a member who is a VIEWER, and who wrote the comment; no device
 * stands at spare ones. There are no sessions of viewers and no consumers.
 */
export const ID_KINDS = [
  'spaceId',
  'userId',
  'adminId',
  'deviceId',
  'lineId',
  'processId',
  'logId',
  'anomalyId',
  'resolvedAnomalyId',
  'commentId',
  'spareLineId',
  'spareProcessId',
  'invitationId',
  'adminInvitationId',
  'deletedSpaceId',
  'sessionId',
  'consumerId',
] as const

/** Kind of an id. */
export type IdKind = (typeof ID_KINDS)[number]

/** Ids of one space, or of none. */
export type Ids = Readonly<Record<IdKind, string>>

/** A space with people of each role and everything that a space can hold. */
export interface Factory {
  readonly ids: Ids
  readonly people: Readonly<Record<Role, string>>
  /** Stands in every text that only its members and devices may read. */
  readonly marker: string
  readonly credential: string
  /** Good for the invitee alone. */
  readonly invitationToken: string
}

/** Ids of nothing. */
export function createMissingIds(): Ids {
  return Object.fromEntries(ID_KINDS.map(kind => [kind, newId()])) as Ids
}

/** Where the world's rows are put. */
type Site = Pick<WholeProduct, 'past' | 'redis'>

let hash: Promise<string> | undefined

/** Makes a person; the address is proven unless said otherwise. */
export async function addPerson({ past }: Site, name: string, isProven = true): Promise<string> {
  const [id, createdAt] = [newId(), new Date()]
  hash ??= hashPassword(PASSWORD)
  const emailVerifiedAt = isProven ? createdAt : null
  const row = { id, email: emailOf(id), name, passwordHash: await hash, createdAt, emailVerifiedAt }
  await past.db.insert(user).values(row)
  return id
}

/** Address of a person. */
export function emailOf(userId: string): string {
  return `${userId}@example.com`
}

/** Begins a session of a person. Answers its id. */
export async function addSession({ past }: Site, userId: string): Promise<string> {
  const id = newId()
  await past.db.insert(session).values({ id, userId, createdAt: new Date() })
  return id
}

/** Makes a space whose texts hold the marker, and which has invited `inviteeId`. */
export async function addFactory(site: Site, marker: string, inviteeId: string): Promise<Factory> {
  const { past, redis } = site
  const { db } = past
  const joinedAt = new Date()
  const members = await Promise.all(
    ROLES.map(async role => [role, await addPerson(site, `${role} ${marker}`)] as const),
  )
  const people = Object.fromEntries(members) as Record<Role, string>
  const ids: Ids = {
    ...createMissingIds(),
    userId: await addPerson(site, `Viewer ${marker}`),
    adminId: await addPerson(site, `Admin ${marker}`),
  }
  const { spaceId, deletedSpaceId, lineId, processId, deviceId, logId } = ids
  const everyone: [string, Role][] = [
    ...members.map(([role, userId]): [string, Role] => [userId, role]),
    [ids.userId, 'VIEWER'],
    [ids.adminId, 'ADMIN'],
  ]
  const named = { name: `Factory ${marker}`, timezone: 'Asia/Seoul', createdAt: joinedAt }
  await db.insert(space).values([
    { id: spaceId, ...named },
    { id: deletedSpaceId, ...named, deletedAt: joinedAt },
  ])
  for (const id of [spaceId, deletedSpaceId])
    await db
      .insert(membership)
      .values(everyone.map(([userId, role]) => ({ spaceId: id, userId, role, joinedAt })))
  await db.insert(line).values([
    { id: lineId, spaceId, name: `Line ${marker}`, position: 0 },
    { id: ids.spareLineId, spaceId, name: `Spare ${marker}`, position: 1 },
  ])
  await db.insert(process).values([
    { id: processId, spaceId, lineId, name: `Process ${marker}`, position: 0 },
    { id: ids.spareProcessId, spaceId, lineId, name: `Spare ${marker}`, position: 1 },
  ])
  const [credential, invitationToken] = [createSecret(), createSecret()]
  await db.insert(device).values({
    ...{ id: deviceId, spaceId, lineId, processId, code: DEVICE_CODE, name: `Press ${marker}` },
    ...{ model: marker, createdAt: joinedAt },
  })
  await db
    .insert(deviceCredential)
    .values({ digest: digestSecret(credential), deviceId, createdAt: joinedAt })
  await db.insert(deviceStatus).values({ deviceId, spaceId, online: true })
  const expiresAt = new Date(Date.now() + 3_600_000)
  const invited = { spaceId, invitedBy: people.OWNER, createdAt: joinedAt, expiresAt }
  const toInvitation = (id: string, role: Role, email: string, token: string) => ({
    ...{ ...invited, id, role, email, pendingEmail: email, digest: digestSecret(token) },
  })
  await db
    .insert(invitation)
    .values([
      toInvitation(ids.invitationId, 'OPERATOR', emailOf(inviteeId), invitationToken),
      toInvitation(ids.adminInvitationId, 'ADMIN', `${marker}@example.com`, createSecret()),
    ])
  const target = { targetType: 'space', targetId: spaceId, targetName: named.name }
  await db
    .insert(audit)
    .values({ spaceId, id: newId(), actorId: people.OWNER, action: 'space.created', ...target })
  await db.insert(log).values({
    ...{ spaceId, id: logId, deviceId, lineId, processId, level: 'INFO', message: `Log ${marker}` },
    ...{ clockReplaced: false, receivedAt: joinedAt },
  })
  await addAnomalies(site, ids, people, marker)
  await db.insert(clip).values({
    ...{ id: deviceId, spaceId, deviceId, eventId: ids.anomalyId, contentType: 'image/png', sizeBytes: 1 },
    ...{ durationMs: null, status: 'READY', hasPoster: false, createdAt: joinedAt, completedAt: joinedAt },
  })
  await db.insert(presenceEvent).values({ spaceId, id: newId(), deviceId, kind: 'ONLINE' })
  const watched = { targetId: spaceId, kind: 'SPACE', spaceId, since: joinedAt } as const
  await db.insert(watch).values(everyone.map(([userId]) => ({ userId, id: newId(), ...watched })))
  const presence = { generation: 1, online: true, lastSeenAt: Date.now(), doorId: newId(), spaceId }
  await redis.live.mset(
    redisKeys.devicePresence(deviceId),
    serializePresenceValue(presence),
    redisKeys.deviceState(deviceId),
    `${Date.now()}|${JSON.stringify({ status: 'RUNNING', metrics: { marker } })}`,
    redisKeys.deviceConnectivity(deviceId),
    `${Date.now()}|${JSON.stringify({ network: marker, signal: -50, latencyMs: 1 })}`,
  )
  return { ids, people, marker, credential, invitationToken }
}

function makeBroadcast(deviceId: string): BroadcastEvent['broadcast'] {
  return {
    ...{ deviceId, broadcastId: newId(), status: 'LIVE', startedAt: Date.now(), kind: 'RTP' },
    problem: { code: 'SILENCE', kind: 'video', message: 'Nothing has come.' },
    ...{ videoCodec: 'VP8', audioCodec: 'OPUS', viewerCount: 1 },
    stats: { bitrateKbps: 1, packetLoss: 0, jitterMs: 1, score: 10 },
  }
}

/** Id of the comment that a person has written in a space. */
export function commentIdOf({ spaceId, callerId }: { spaceId: string; callerId: string }): string {
  const hex = createHash('sha256').update(spaceId).update(callerId).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-7$3-8$4-$5')
}

/** An OPEN anomaly, on which everybody has commented, and a RESOLVED one. */
async function addAnomalies(
  { past }: Site,
  ids: Ids,
  people: Readonly<Record<Role, string>>,
  marker: string,
): Promise<void> {
  const { spaceId, anomalyId, resolvedAnomalyId, commentId, userId } = ids
  const [now, by] = [new Date(), people.OPERATOR]
  const done = { acknowledgedAt: now, acknowledgedBy: by, resolvedAt: now, resolvedBy: by }
  await past.db.insert(anomaly).values([
    { ...toAnomaly(ids, marker), receivedAt: now, acknowledgedAt: null, resolvedAt: null },
    {
      ...{ ...toAnomaly(ids, marker), id: resolvedAnomalyId, type: 'JAM', receivedAt: now, ...done },
      status: 'RESOLVED',
    },
  ])
  const { deviceId } = ids
  await past.db.insert(anomalyOccurrence).values({
    ...{ spaceId, id: anomalyId, deviceId, type: 'HEAT', severity: 'MAJOR', cleared: false },
    ...{ clockReplaced: false, receivedAt: now, anomalyId },
  })
  const said = { anomalyId, spaceId, kind: 'USER', body: `Said ${marker}`, createdAt: now } as const
  await past.db.insert(anomalyComment).values([
    { ...said, id: commentId, authorId: userId },
    ...Object.values(people).map(callerId => ({
      ...{ ...said, id: commentIdOf({ spaceId, callerId }), authorId: callerId },
    })),
  ])
}

function toAnomaly(
  { anomalyId: id, spaceId, deviceId, lineId, processId }: Ids,
  marker: string,
): AnomalyState {
  return {
    ...{ id, spaceId, deviceId, lineId, processId, type: 'HEAT', severity: 'MAJOR' },
    ...{ message: `Anomaly ${marker}`, score: 0.5, attributes: null, clockReplaced: false },
    ...{ receivedAt: Date.now(), firstOccurrenceId: id, lastOccurrenceId: id, occurrences: 1, version: 1 },
    ...{ status: 'OPEN', acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null, resolvedBy: null },
  }
}

/** Tells on every live topic of the space that something has happened to its device. */
export async function publishEvents(
  { publisher }: Pick<WholeProduct, 'publisher'>,
  { ids, marker }: Factory,
): Promise<void> {
  const { spaceId, deviceId, lineId, processId } = ids
  const at = Date.now()
  const message = `Log ${marker}`
  const attributes = null
  await Promise.all([
    publisher.publish('log', [
      {
        ...{ id: newId(), spaceId, deviceId, lineId, processId, level: 'INFO', message, attributes },
        ...{ clockReplaced: false, receivedAt: at },
      },
    ]),
    publisher.publish('anomaly', [
      { change: 'RAISED', anomaly: toAnomaly(ids, marker) },
      { change: 'REPEATED', anomaly: toAnomaly(ids, marker) },
    ]),
    publisher.publish('state', [{ deviceId, spaceId, at, status: 'RUNNING', metrics: { marker } }]),
    publisher.publish('broadcast', [{ deviceId, spaceId, at, broadcast: makeBroadcast(deviceId) }]),
    publisher.publish('presence', [{ id: newId(), deviceId, spaceId, online: true, at }]),
    publisher.publish('feed', [toFeedNews(ids, marker)]),
  ])
}

function toFeedNews({ spaceId, deviceId, lineId, processId }: Ids, marker: string): FeedNews {
  const [id, place] = [newId(), { spaceId, deviceId, lineId, processId }]
  return {
    ...{ kind: 'log', id: `${id}:log:${spaceId}`, ...place },
    item: {
      ...{ id, ...place, level: 'ERROR', message: `Log ${marker}`, attributes: null },
      ...{ clockReplaced: false, receivedAt: Date.now() },
    },
  }
}
