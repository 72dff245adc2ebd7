import type { Redis } from 'ioredis'
import { expect } from 'vitest'
import { audit, user } from '../../schema/mysql/device-tables.ts'
import { eq } from '../../schema/mysql/drizzle.ts'
import type { UserViewer, Viewer } from '../shared/auth/viewer.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import { ROLES, type Role } from '../shared/space-access.ts'
import { newId } from '../shared/uuid-v7.ts'
import { type AccountFixture, openAccountFixture } from './account-fixture.ts'
import { asUser } from './device-fixture.ts'

/** Somebody who has signed in. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly viewer: UserViewer
}

/** A space with a member of each role. */
export type Team = Readonly<Record<Role, Person>> & { readonly spaceId: string }

/** What came of a mutation: its payload, and `CODE message` of each error. */
interface Attempt {
  // biome-ignore lint/suspicious/noExplicitAny: payloads have the shape that the test asked for
  readonly payload: any
  readonly errors: string[]
}

/** The device subgraph as people make spaces with it. */
export interface SpaceFixture extends AsyncDisposable {
  readonly accounts: AccountFixture
  /** Makes an account; its address is proven unless said otherwise. */
  createPerson(person?: { email?: string; isProven?: boolean }): Promise<Person>
  createTeam(): Promise<Team>
  addMember(spaceId: string, role: Role, person?: Person): Promise<Person>
  attempt(viewer: Viewer | null, name: string, input: object, selection?: string): Promise<Attempt>
  /** Expects that it is taken, and answers the payload. */
  // biome-ignore lint/suspicious/noExplicitAny: payloads have the shape that the test asked for
  take(person: Person, name: string, input: object, selection?: string): Promise<any>
  /** Expects user errors of these codes and fields, and that no row was written to the audit. */
  expectRefused(
    person: Person,
    name: string,
    input: object,
    ...errors: [code: string, field: string | null][]
  ): Promise<void>
  /** Expects an error of this code, and that no row was written to the audit. */
  expectError(viewer: Viewer | null, name: string, input: object, code: string): Promise<void>
  /** What the audit of a space has, oldest first. */
  auditOf(spaceId: string): Promise<(typeof audit.$inferSelect)[]>
}

/** Opens the fixture on a test database and a test Redis, which stay the caller's. */
export async function openSpaceFixture(
  database: { db: Db; url: string },
  redis: { live: Redis; liveUrl: string },
): Promise<SpaceFixture> {
  const { db } = database
  const accounts = await openAccountFixture(database, redis)

  async function createPerson({ email = `${newId()}@example.com`, isProven = true } = {}): Promise<Person> {
    const [userId, createdAt] = [newId(), new Date()]
    const emailVerifiedAt = isProven ? createdAt : null
    const row = { id: userId, email, name: `Name of ${email.slice(0, 40)}`, passwordHash: 'none', createdAt }
    await db.insert(user).values({ ...row, emailVerifiedAt })
    return { userId, email, viewer: asUser(userId) as UserViewer }
  }

  async function addMember(spaceId: string, role: Role, person?: Person): Promise<Person> {
    const added = person ?? (await createPerson())
    await accounts.device.addMember(spaceId, role, added.userId)
    return added
  }

  async function attempt(
    viewer: Viewer | null,
    name: string,
    input: object,
    selection = '',
  ): Promise<Attempt> {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
    const source = `mutation ($input: ${type}) { ${name}(input: $input) {
      ${selection} userErrors { code field message } } }`
    const { data, errors } = await accounts.device.run(viewer, source, { input })
    return { payload: data?.[name] ?? null, errors }
  }

  const countAudit = () => db.$count(audit)

  return {
    accounts,
    createPerson,
    addMember,
    attempt,
    async createTeam() {
      const owner = await createPerson()
      const { spaceId } = await accounts.device.createSpace({ owner: owner.viewer })
      const others = ROLES.filter(role => role !== 'OWNER')
      const people = await Promise.all(others.map(async role => [role, await addMember(spaceId, role)]))
      return { spaceId, OWNER: owner, ...Object.fromEntries(people) }
    },
    async take(person, name, input, selection) {
      const { payload, errors } = await attempt(person.viewer, name, input, selection)
      expect(errors).toEqual([])
      expect(payload.userErrors).toEqual([])
      return payload
    },
    async expectRefused(person, name, input, ...expected) {
      const before = await countAudit()
      const { payload, errors } = await attempt(person.viewer, name, input)
      expect(errors).toEqual([])
      expect(payload.userErrors).toEqual(
        expected.map(([code, field]) => ({ code, field, message: expect.stringMatching(/\w.*\.$/) })),
      )
      expect(await countAudit()).toBe(before)
    },
    async expectError(viewer, name, input, code) {
      const before = await countAudit()
      const { errors } = await attempt(viewer, name, input)
      expect(errors).toEqual([expect.stringMatching(new RegExp(`^${code} `))])
      expect(await countAudit()).toBe(before)
    },
    auditOf: spaceId => db.select().from(audit).where(eq(audit.spaceId, spaceId)).orderBy(audit.id),
    [Symbol.asyncDispose]: () => accounts[Symbol.asyncDispose](),
  }
}
