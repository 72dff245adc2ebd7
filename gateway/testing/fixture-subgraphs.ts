import { buildSubgraphSchema } from '@apollo/subgraph'
import DataLoader from 'dataloader'
import { type GraphQLScalarType, parse } from 'graphql'
import { composeSupergraph } from '../../schema/graphql/compose.ts'
import type { EndedSessions } from '../../subgraphs/shared/auth/ended-sessions.ts'
import { requireUser } from '../../subgraphs/shared/auth/viewer.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { withCursor } from '../../subgraphs/shared/graphql/event-cursor.ts'
import type { Subgraph, SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import type { RightsChange, RightsWatch } from '../../subgraphs/shared/permissions/rights-watch.ts'
import type { Role, SpaceAccess } from '../../subgraphs/shared/space-access.ts'
import { createTestTopic, type TestTopic } from './test-topic.ts'

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])'

const CATALOG = `${LINK}
  scalar Even
  type Query {
    product(id: ID!): Product
    products: [Product!]!
    whoAmI: String
    broken: String
    forbidden: String
    dropped: String
    hanging: String
    half(of: Even!): Int
    nest: Nest
    shelves(first: Int = 20, last: Int): ShelfConnection!
    paint(colour: Colour): String
  }
  enum Colour { GREEN ORANGE }
  type ShelfConnection { nodes: [Shelf!]!  totalCount: Int }
  type Shelf { id: ID!  boxes(first: Int): [Box!]! }
  type Box { id: ID! }
  type Nest { nest: Nest  leaf: Int }
  type Mutation {
    rename(id: ID!, name: String!): Product
    refreshSession(token: String): Session
    signIn(input: SignInInput!): Session
    signUp(input: SignUpInput!): Outcome
    verifyEmail(input: VerifyEmailInput!): Outcome
    changePassword(input: ChangePasswordInput!): Outcome
    deviceToken(input: DeviceTokenInput!): DeviceToken
  }
  input SignUpInput { email: String!  name: String }
  input VerifyEmailInput { email: String!  code: String! }
  input ChangePasswordInput { currentPassword: String! }
  input DeviceTokenInput { deviceId: ID!  credential: String! }
  type DeviceToken { token: String  userErrors: [UserError!]! }
  type Outcome { userErrors: [UserError!]! }
  type UserError { code: String! }
  input SignInInput { email: String!  password: String! }
  type Session { accessToken: String }
  type Subscription { productChanged(kind: String, size: Even): Product  mine: Product  shelfChanged: Shelf }
  type Product @key(fields: "id") { id: ID!  name: String!  askedBy: String }
`

const REVIEWS = `${LINK}
  type Query { latest: Review  orphan: Review }
  type Product @key(fields: "id") { id: ID!  reviews: [Review!]  reviewer: String  stubborn: String }
  type Review { text: String!  product: Product }
`

/** The composed fixture. */
export const FIXTURE_SUPERGRAPH = composeSupergraph([
  { name: 'catalog', typeDefs: CATALOG },
  { name: 'reviews', typeDefs: REVIEWS },
])

/** An event of the fixture's subscription. */
export interface ProductEvent {
  readonly id: string
  readonly cursor?: string
}

interface FixtureContext {
  readonly request: SubgraphRequest
  readonly reviews: DataLoader<string, string>
}

/** Two subgraphs that count what is asked of them. */
export interface Fixture {
  /** Roles as `setRole` says; nobody has one before. `beforeAnswer` is waited for when a role was looked up. */
  readonly access: SpaceAccess
  /** May keep an answer back, or reject. */
  beforeAnswer: ((userId: string) => Promise<void>) | undefined
  readonly rights: Pick<RightsWatch, 'onChange'>
  /** Gives a user a role in a space, or takes it away, and tells. */
  setRole(userId: string, spaceId: string, role: Role | null): void
  readonly sessions: Pick<EndedSessions, 'onEnded'>
  /** Tells that a session has ended. */
  endSession(sessionId: string): void
  readonly subgraphs: readonly Subgraph[]
  readonly topic: TestTopic<ProductEvent>
  /** Contexts made, by subgraph. */
  readonly contexts: Record<string, number>
  /** Keys of each batch of reviews that was loaded. */
  readonly batches: (readonly string[])[]
  /** Fresh at each read, so that a stale loader shows. */
  version: number
  /** Settles `Query.hanging`. */
  readonly hanging: PromiseWithResolvers<string>
  /** Tokens that `refreshSession` gives out. */
  nextToken: string
}

/** Creates the subgraphs `catalog` and `reviews`. */
export function createFixture(): Fixture {
  const topic = createTestTopic<ProductEvent>()
  const contexts: Record<string, number> = { catalog: 0, reviews: 0 }
  const batches: (readonly string[])[] = []
  const roles = new Map<string, Role>()
  const rights = createListeners<RightsChange>()
  const sessions = createListeners<string>()
  const fixture = {
    access: {
      async roleOf(userId: string, spaceId: string) {
        const role = roles.get(`${userId} ${spaceId}`) ?? null
        await fixture.beforeAnswer?.(userId)
        return role
      },
    },
    beforeAnswer: undefined as Fixture['beforeAnswer'],
    rights: { onChange: rights.add },
    sessions: { onEnded: sessions.add },
    endSession: sessions.tell,
    setRole(userId: string, spaceId: string, role: Role | null) {
      if (role === null) roles.delete(`${userId} ${spaceId}`)
      else roles.set(`${userId} ${spaceId}`, role)
      rights.tell({ kind: 'membership-changed', userId, spaceId })
    },
    topic,
    contexts,
    batches,
    version: 1,
    hanging: Promise.withResolvers<string>(),
    nextToken: '',
  }
  const names = new Map([
    ['1', 'Press'],
    ['2', 'Oven'],
  ])
  const product = (id: string) => ({ id })

  /** As a live reader does: `return()` reaches the topic at once, which an async generator would not do. */
  function followEvents() {
    const source = topic.follow()
    const mapped = {
      async next() {
        const result = await source.next()
        if (result.done) return result
        const { id, cursor } = result.value
        const rootValue = { productChanged: product(id), mine: product(id) }
        return { done: false, value: cursor === undefined ? rootValue : withCursor(rootValue, cursor) }
      },
      return: () => source.return?.(),
      [Symbol.asyncIterator]: () => mapped,
    }
    return mapped
  }

  const catalog = subgraph('catalog', CATALOG, {
    Query: {
      product: (_: unknown, { id }: { id: string }) => (names.has(id) ? product(id) : null),
      products: () => [...names.keys()].map(product),
      whoAmI: (_: unknown, _args: unknown, { request }: FixtureContext) =>
        request.viewer?.kind === 'user' ? request.viewer.userId : null,
      broken: () => {
        throw new Error('secret table does not exist')
      },
      forbidden: () => {
        throw new AppError('FORBIDDEN', 'Not for you.')
      },
      dropped: () => {
        throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' })
      },
      hanging: () => fixture.hanging.promise,
      half: (_: unknown, { of }: { of: number }) => of / 2,
      nest: () => ({ nest: {}, leaf: 1 }),
      shelves: () => ({ nodes: [{ id: 's1', boxes: [{ id: 'b1' }] }], totalCount: 1 }),
      paint: (_: unknown, { colour }: { colour?: string }) => colour,
    },
    Mutation: {
      rename: (_: unknown, { id, name }: { id: string; name: string }) => {
        names.set(id, name)
        return product(id)
      },
      refreshSession: () => ({ accessToken: fixture.nextToken }),
      signIn: (_: unknown, { input }: { input: { password: string } }) => ({
        accessToken: input.password === 'right' ? fixture.nextToken : null,
      }),
      signUp: (_: unknown, { input }: { input: { name?: string } }) => toOutcome(input.name !== ''),
      verifyEmail: (_: unknown, { input }: { input: { code: string } }) => toOutcome(input.code === 'right'),
      changePassword: (_: unknown, { input }: { input: { currentPassword: string } }) =>
        toOutcome(input.currentPassword === 'right'),
      deviceToken: (_: unknown, { input }: { input: { credential: string } }) => {
        const isGood = input.credential === 'right'
        return { token: isGood ? 'token' : null, ...toOutcome(isGood) }
      },
    },
    Subscription: {
      productChanged: { subscribe: followEvents },
      shelfChanged: { subscribe: followEvents },
      mine: {
        subscribe: (_: unknown, _args: unknown, { request }: FixtureContext) => {
          requireUser(request.viewer)
          return followEvents()
        },
      },
    },
    Product: {
      __resolveReference: async ({ id }: { id: string }) => (names.has(id) ? product(id) : null),
      name: ({ id }: { id: string }) => names.get(id),
      askedBy: (_: unknown, _args: unknown, { request }: FixtureContext) =>
        request.viewer?.kind === 'user' ? request.viewer.sessionId : null,
    },
  })

  const reviews = subgraph('reviews', REVIEWS, {
    Query: {
      latest: () => ({ text: 'good', product: { __typename: 'Product', id: '1' } }),
      orphan: () => ({ text: 'lost', product: { __typename: 'Product', id: 'gone' } }),
    },
    Product: {
      __resolveReference: async ({ id }: { id: string }) => ({ id }),
      reviews: async ({ id }: { id: string }, _args: unknown, { reviews }: FixtureContext) => [
        { text: await reviews.load(id) },
      ],
      reviewer: ({ id }: { id: string }) => `r${id}`,
      stubborn: ({ id }: { id: string }) => {
        if (id === '2') throw new AppError('CONFLICT', 'No.')
        return 'yes'
      },
    },
  })

  function subgraph(
    name: string,
    typeDefs: string,
    resolvers: Record<string, Record<string, unknown>>,
  ): Subgraph {
    const schema = buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers: resolvers as never }])
    const even = schema.getType('Even') as GraphQLScalarType | undefined
    if (even !== undefined) {
      even.parseValue = readEven
      even.parseLiteral = node => readEven('value' in node ? Number(node.value) : undefined)
    }
    return {
      name,
      schema,
      createContext(request): FixtureContext {
        contexts[name] = (contexts[name] ?? 0) + 1
        return {
          request,
          reviews: new DataLoader(async ids => {
            batches.push(ids)
            return ids.map(id => `review of ${id}, version ${fixture.version}`)
          }),
        }
      },
    }
  }

  return Object.assign(fixture, { subgraphs: [catalog, reviews] })
}

function createListeners<T>() {
  const listeners = new Set<(value: T) => void>()
  return {
    add(listener: (value: T) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(value: T) {
      for (const listener of listeners) listener(value)
    },
  }
}

function toOutcome(isGood: boolean) {
  return { userErrors: isGood ? [] : [{ code: 'BAD' }] }
}

function readEven(value: unknown): number {
  if (typeof value === 'number' && value % 2 === 0) return value
  throw new TypeError('Expected an even number.')
}
