import { afterAll, describe, expect, it } from 'vitest'
import { invitation, mailOutbox, membership, user } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import { Refusal } from '../shared/graphql/refusal.ts'
import { openTestDatabase } from '../shared/testkit/open-test-database.ts'
import { openTestRedis } from '../shared/testkit/open-test-redis.ts'
import { newId } from '../shared/uuid-v7.ts'
import { createInvitations } from './invitations.ts'
import { createSecret } from './opaque-secret.ts'
import { openSpaceFixture, type Person, type Team } from './space-fixture.ts'
import { DEFAULT_SPACE_LIMITS } from './space-limits.ts'

const database = await openTestDatabase()
const redis = await openTestRedis()
const fixture = await openSpaceFixture(database, redis)
afterAll(async () => {
  await fixture[Symbol.asyncDispose]()
  await Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
})
const { db } = database
const { take, attempt, expectRefused, expectError, createPerson, createTeam, addMember, auditOf, accounts } =
  fixture

const newEmail = () => `${newId()}@example.com`
const HOUR_MS = 60 * 60_000

/** Invites an address, and answers the invitation with the token of its mail. */
async function invite(by: Person, { spaceId }: Team, email = newEmail(), role = 'OPERATOR') {
  const selection = 'invitation { id email role expiresAt invitedBy { id } }'
  const { invitation: made } = await take(by, 'inviteMember', { spaceId, email, role }, selection)
  return { ...made, token: await accounts.newest(made.email, 'token') }
}

const isMember = async ({ spaceId }: Team, { userId }: Person) =>
  (await accounts.device.access.roleOf(userId, spaceId)) !== null

const rowOf = async (id: string) => (await db.select().from(invitation).where(eq(invitation.id, id)))[0]

async function listInvitations({ spaceId }: Team, by: Person) {
  const source = `query ($id: ID!) { space(id: $id) { invitations { totalCount nodes { id email } } } }`
  return accounts.device.run(by.viewer, source, { id: spaceId })
}

describe('inviteMember', () => {
  it('mails a token, of which only the digest is kept, in the language of who is invited', async () => {
    const team = await createTeam()
    const person = await createPerson()
    await db.update(user).set({ locale: 'ko' }).where(eq(user.id, person.userId))
    const made = await invite(team.ADMIN, team, ` ${person.email.toUpperCase()} `)
    expect(made).toMatchObject({
      email: person.email,
      role: 'OPERATOR',
      invitedBy: { id: team.ADMIN.userId },
      token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const leftMs = Date.parse(made.expiresAt) - Date.now()
    expect(leftMs).toBeGreaterThan(7 * 24 * HOUR_MS - 60_000)
    expect(leftMs).toBeLessThanOrEqual(7 * 24 * HOUR_MS)
    const [mail] = await accounts.mailsTo(person.email)
    expect(mail).toMatchObject({
      template: 'invitation',
      locale: 'ko',
      params: { spaceName: 'Factory', role: 'OPERATOR', expiresAt: made.expiresAt },
    })
    expect(JSON.stringify(await rowOf(made.id))).not.toContain(made.token)
    expect(await auditOf(team.spaceId)).toEqual([
      expect.objectContaining({
        action: 'member.invited',
        actorId: team.ADMIN.userId,
        targetId: made.id,
        targetName: person.email,
        details: { role: 'OPERATOR' },
      }),
    ])
    expect((await listInvitations(team, team.OWNER)).data.space.invitations).toEqual({
      totalCount: 1,
      nodes: [{ id: made.id, email: person.email }],
    })
  })

  it('goes up to the role that the inviter may give', async () => {
    const team = await createTeam()
    const { spaceId, OWNER, ADMIN, OPERATOR, VIEWER } = team
    const to = (role: string) => ({ spaceId, email: newEmail(), role })
    await take(OWNER, 'inviteMember', to('ADMIN'))
    await take(ADMIN, 'inviteMember', to('OPERATOR'))
    await take(ADMIN, 'inviteMember', to('VIEWER'))
    await expectError(ADMIN.viewer, 'inviteMember', to('ADMIN'), 'FORBIDDEN')
    for (const by of [OWNER, ADMIN])
      await expectRefused(by, 'inviteMember', to('OWNER'), ['BAD_USER_INPUT', 'role'])
    for (const by of [OPERATOR, VIEWER]) {
      await expectError(by.viewer, 'inviteMember', to('VIEWER'), 'FORBIDDEN')
      expect((await listInvitations(team, by)).errors).toEqual([expect.stringMatching(/^FORBIDDEN/)])
    }
    await expectError((await createPerson()).viewer, 'inviteMember', to('VIEWER'), 'NOT_FOUND')
    const before = await db.$count(mailOutbox)
    await expectRefused(OWNER, 'inviteMember', { ...to('VIEWER'), email: 'kim@' }, [
      'BAD_USER_INPUT',
      'email',
    ])
    await expectRefused(OWNER, 'inviteMember', { ...to('VIEWER'), email: VIEWER.email }, [
      'CONFLICT',
      'email',
    ])
    expect(await db.$count(mailOutbox)).toBe(before)
  })

  it('replaces the one that the address has: its token is dead', async () => {
    const team = await createTeam()
    const person = await createPerson()
    const first = await invite(team.ADMIN, team, person.email, 'VIEWER')
    const second = await invite(team.OWNER, team, person.email, 'ADMIN')
    expect(second.id).not.toBe(first.id)
    await expectRefused(person, 'acceptInvitation', { token: first.token }, ['INVALID_TOKEN', 'token'])
    await take(person, 'acceptInvitation', { token: second.token })
    expect(await accounts.device.access.roleOf(person.userId, team.spaceId)).toBe('ADMIN')
  })

  it('replaces only what the inviter may take back', async () => {
    const team = await createTeam()
    const { spaceId, ADMIN, OWNER } = team
    const person = await createPerson()
    const { token } = await invite(OWNER, team, person.email, 'ADMIN')
    const input = { spaceId, email: person.email, role: 'VIEWER' }
    await expectError(ADMIN.viewer, 'inviteMember', input, 'FORBIDDEN')
    await take(person, 'acceptInvitation', { token })
    expect(await accounts.device.access.roleOf(person.userId, spaceId)).toBe('ADMIN')
  })

  it('of many at once to one address one is open in the end', async () => {
    const team = await createTeam()
    const person = await createPerson()
    const input = { spaceId: team.spaceId, email: person.email, role: 'VIEWER' }
    await Promise.all(Array.from({ length: 6 }, () => take(team.ADMIN, 'inviteMember', input)))
    const tokens = (await accounts.mailsTo(person.email)).map(({ params }) => params.token)
    expect(tokens).toHaveLength(6)
    expect((await listInvitations(team, team.ADMIN)).data.space.invitations.totalCount).toBe(1)
    const outcomes = await Promise.all(
      tokens.map(async token => (await attempt(person.viewer, 'acceptInvitation', { token })).payload),
    )
    expect(outcomes.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
  })
})

describe('revokeInvitation', () => {
  it('makes the token dead, once', async () => {
    const team = await createTeam()
    const person = await createPerson()
    const { id, token } = await invite(team.OWNER, team, person.email)
    const revoked = await take(
      team.ADMIN,
      'revokeInvitation',
      { invitationId: id },
      'invitation { id email }',
    )
    expect(revoked.invitation).toEqual({ id, email: person.email })
    await expectRefused(team.ADMIN, 'revokeInvitation', { invitationId: id }, ['CONFLICT', 'invitationId'])
    await expectRefused(person, 'acceptInvitation', { token }, ['INVALID_TOKEN', 'token'])
    expect((await auditOf(team.spaceId)).map(({ action }) => action)).toEqual([
      'member.invited',
      'invitation.revoked',
    ])
    expect((await listInvitations(team, team.OWNER)).data.space.invitations).toEqual({
      totalCount: 0,
      nodes: [],
    })
  })

  it('is for who may give the role; strangers do not learn that there is one', async () => {
    const team = await createTeam()
    const [toAdmin, toViewer] = [
      await invite(team.OWNER, team, newEmail(), 'ADMIN'),
      await invite(team.OWNER, team, newEmail(), 'VIEWER'),
    ]
    const revoke = (id: string) => ({ invitationId: id })
    await expectError(team.ADMIN.viewer, 'revokeInvitation', revoke(toAdmin.id), 'FORBIDDEN')
    await expectError(team.OPERATOR.viewer, 'revokeInvitation', revoke(toViewer.id), 'FORBIDDEN')
    await expectError(null, 'revokeInvitation', revoke(toViewer.id), 'UNAUTHENTICATED')
    const stranger = await createPerson()
    const elsewhere = (await createTeam()).OWNER
    for (const person of [stranger, elsewhere])
      for (const id of [toViewer.id, newId(), 'x'])
        await expectRefused(person, 'revokeInvitation', revoke(id), ['NOT_FOUND', 'invitationId'])
  })
})

describe('acceptInvitation', () => {
  it('makes who was invited a member, and is known at once', async () => {
    const team = await createTeam()
    const person = await createPerson()
    const { id, token } = await invite(team.ADMIN, team, person.email)
    // That they are no member is remembered.
    expect(await isMember(team, person)).toBe(false)
    await accounts.published()
    const { space } = await take(
      person,
      'acceptInvitation',
      { token },
      'space { id viewerRole devices { nodes { id } } }',
    )
    expect(space).toEqual({ id: team.spaceId, viewerRole: 'OPERATOR', devices: { nodes: [] } })
    expect(await rowOf(id)).toMatchObject({ acceptedBy: person.userId, pendingEmail: null })
    expect(await accounts.published()).toEqual([
      { kind: 'membership-changed', userId: person.userId, spaceId: team.spaceId },
    ])
    expect((await auditOf(team.spaceId)).at(-1)).toMatchObject({
      action: 'member.joined',
      actorId: person.userId,
      details: { role: { from: null, to: 'OPERATOR' }, invitedBy: team.ADMIN.userId },
    })
    await expectRefused(person, 'acceptInvitation', { token }, ['INVALID_TOKEN', 'token'])
  })

  it('makes one of two at once', async () => {
    const team = await createTeam()
    const person = await createPerson()
    const { token } = await invite(team.ADMIN, team, person.email)
    const attempts = await Promise.all(
      Array.from({ length: 5 }, () => attempt(person.viewer, 'acceptInvitation', { token })),
    )
    expect(attempts.flatMap(({ errors }) => errors)).toEqual([])
    const codes = attempts.map(({ payload }) => payload.userErrors[0]?.code ?? 'done').sort()
    expect(codes).toEqual([...Array(4).fill('INVALID_TOKEN'), 'done'])
  })

  it('needs the invited address to be the caller’s, and proven', async () => {
    const team = await createTeam()
    const [person, other] = [await createPerson({ isProven: false }), await createPerson()]
    const { token } = await invite(team.ADMIN, team, person.email)
    await expectRefused(other, 'acceptInvitation', { token }, ['INVALID_TOKEN', 'token'])
    await expectRefused(person, 'acceptInvitation', { token }, ['EMAIL_NOT_VERIFIED', null])
    await expectError(null, 'acceptInvitation', { token }, 'UNAUTHENTICATED')
    await db.update(user).set({ emailVerifiedAt: new Date() }).where(eq(user.id, person.userId))
    await take(person, 'acceptInvitation', { token })
    expect([await isMember(team, person), await isMember(team, other)]).toEqual([true, false])
  })

  it('refuses tokens that are unknown, no tokens, expired, or of a deleted space', async () => {
    const team = await createTeam()
    const person = await createPerson()
    const refused = (token: string) =>
      expectRefused(person, 'acceptInvitation', { token }, ['INVALID_TOKEN', 'token'])
    for (const token of [createSecret(), '', 'x', "' OR 1=1", 'a'.repeat(10_000)]) await refused(token)
    const { id, token } = await invite(team.ADMIN, team, person.email)
    await take(team.OWNER, 'deleteSpace', { spaceId: team.spaceId })
    await refused(token)
    await take(team.OWNER, 'restoreSpace', { spaceId: team.spaceId })
    await db.update(invitation).set({ expiresAt: new Date() }).where(eq(invitation.id, id))
    await refused(token)
    expect((await listInvitations(team, team.ADMIN)).data.space.invitations.totalCount).toBe(0)
    const again = await invite(team.ADMIN, team, person.email)
    await addMember(team.spaceId, 'VIEWER', person)
    await expectRefused(person, 'acceptInvitation', { token: again.token }, ['CONFLICT', null])
  })
})

describe('limits', () => {
  const revocations = { async publish() {} }
  const limits = { ...DEFAULT_SPACE_LIMITS, maxMembers: 6, maxOpenInvitations: 3 }
  const invitations = createInvitations({ db, revocations, nudgeMailer() {}, limits })
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      error => (error instanceof Refusal ? error.userErrors[0]?.code : error),
    )

  it('a space has so many open invitations, however many are sent at once; replacing one takes none', async () => {
    const { spaceId, ADMIN } = await createTeam()
    const emails = Array.from({ length: 6 }, newEmail)
    const send = (email: string) =>
      codeOf(invitations.invite(ADMIN.userId, { spaceId, email, role: 'VIEWER' }))
    const codes = await Promise.all(emails.map(send))
    expect(codes.toSorted()).toEqual([...Array(3).fill('LIMIT_REACHED'), ...Array(3).fill('done')])
    expect(await send(emails[codes.indexOf('done')] ?? '')).toBe('done')
    expect(await send(newEmail())).toBe('LIMIT_REACHED')
    await db.update(invitation).set({ expiresAt: new Date() }).where(eq(invitation.spaceId, spaceId))
    expect(await send(newEmail())).toBe('done')
  })

  it('a space has so many members, however many accept at once', async () => {
    const team = await createTeam()
    const people = await Promise.all(Array.from({ length: 5 }, () => createPerson()))
    const sent = await Promise.all(people.map(({ email }) => invite(team.ADMIN, team, email)))
    const codes = await Promise.all(
      people.map(({ userId }, i) => codeOf(invitations.accept(userId, sent[i]?.token))),
    )
    expect(codes.toSorted()).toEqual([...Array(3).fill('LIMIT_REACHED'), 'done', 'done'])
    expect(await db.$count(membership, eq(membership.spaceId, team.spaceId))).toBe(6)
  })
})
