import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { composeSupergraph } from '../../schema/graphql/compose.ts'
import { redisKeys } from '../../schema/redis-keys.ts'
import type { Viewer } from '../../subgraphs/shared/auth/viewer.ts'
import { AppError } from '../../subgraphs/shared/errors.ts'
import { followTopic } from '../../subgraphs/shared/graphql/follow-topic.ts'
import type { Subgraph, SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import { createLivePublisher } from '../../subgraphs/shared/live-topic/live-publisher.ts'
import { type StartedLiveReader, startLiveReader } from '../../subgraphs/shared/live-topic/live-reader.ts'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import { requireRight } from '../../subgraphs/shared/permissions/rights-table.ts'
import { grantedAccess, type SpaceAccess } from '../../subgraphs/shared/space-access.ts'
import { openTestRedis, type TestRedis } from '../../subgraphs/shared/testkit/open-test-redis.ts'

const MARKING = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@composeDirective"])
  @link(url: "https://specs.nuvion.invalid/nuvion/v1.0", import: ["@viewerDependent"])
  @composeDirective(name: "@viewerDependent")
  directive @viewerDependent on FIELD_DEFINITION
`

const PLANT = `${MARKING}
  type Query { machine(id: ID!): Machine }
  type Subscription {
    machineChanged(spaceId: ID!, ids: [ID!]): Machine
    thingChanged(spaceId: ID!): Thing
    hitChanged(spaceId: ID!): Hit
  }
  interface Thing { id: ID!  name: String  seenBy: String }
  union Hit = Machine | Robot
  type Machine implements Thing @key(fields: "id") {
    id: ID!
    name: String
    bulk: String
    viewerRole: String
    wage: Int
    seenBy: String @viewerDependent
    space: Space!
  }
  type Robot implements Thing { id: ID!  name: String  seenBy: String @viewerDependent }
  type Space @key(fields: "id") { id: ID!  viewerRole: String  favourite: Boolean @viewerDependent }
`

const CARE = `${MARKING}
  type Query { careTeam: String }
  type Machine @key(fields: "id") { id: ID!  note: String  duty: String  mine: String @viewerDependent }
`

/** The composed SDL. */
export const LIVE_SUPERGRAPH = composeSupergraph([
  { name: 'plant', typeDefs: PLANT },
  { name: 'care', typeDefs: CARE },
])

interface LiveContext {
  readonly request: SubgraphRequest
  readonly access: SpaceAccess
}

/** A machine's id is `<space>/<number>`. */
interface Machine {
  readonly __typename: 'Machine'
  readonly id: string
}

/** Subgraphs whose subscriptions follow topics of a real Redis through a real reader. */
export interface LiveWorld extends AsyncDisposable {
  readonly redis: TestRedis
  readonly reader: StartedLiveReader
  /** Makes `plant` and `care` with these roles. */
  create(fixture: { readonly access: SpaceAccess }): { supergraphSdl: string; subgraphs: readonly Subgraph[] }
  /** Has machines of these numbers change, one entry of the topic each. */
  publish(spaceId: string, ...numbers: readonly number[]): Promise<void>
  /** Forgets all but the newest entries. */
  trim(spaceId: string, keep: number): Promise<void>
  /** How often the machine of an event was resolved at `plant`, and its note at `care`, by number. */
  readonly runs: Record<'plant' | 'care', Map<number, number>>
  /** On whose behalf notes were resolved. */
  readonly speakers: Set<string>
  /** Awaited by each note. */
  beforeNote: ((number: number) => Promise<void> | undefined) | undefined
  /** Length of the field `bulk`. */
  bulkLength: number
  /** Has `plant` refuse subscriptions. */
  isRefusing: boolean
}

/** Opens a Redis and starts a reader. */
export async function openLiveWorld(): Promise<LiveWorld> {
  const redis = await openTestRedis()
  const logger = createLogger({ level: 'silent', role: 'test' })
  const reader = startLiveReader({ url: redis.liveUrl, redis: redis.live, logger })
  const publisher = createLivePublisher({ redis: redis.live })
  const runs = { plant: new Map<number, number>(), care: new Map<number, number>() }

  const countRun = (subgraph: 'plant' | 'care', id: string) => {
    const number = numberOf(id)
    runs[subgraph].set(number, (runs[subgraph].get(number) ?? 0) + 1)
  }
  const roleIn = (id: string, { request, access }: LiveContext) =>
    access.roleOf(userOf(request.viewer), spaceOf(id))

  const follow =
    (field: string, typename: 'Machine' | 'Robot') =>
    async (
      _: unknown,
      { spaceId, ids }: { spaceId: string; ids?: readonly string[] | null },
      { request, access }: LiveContext,
    ) => {
      if (world.isRefusing) throw new AppError('FORBIDDEN', 'Not now.')
      await requireRight(access, request.viewer, spaceId, 'space.read')
      return followTopic(reader, 'state', spaceId, request.start, ({ deviceId }) =>
        ids == null || ids.includes(deviceId)
          ? { [field]: { __typename: typename, id: `${spaceId}/${deviceId}` } }
          : undefined,
      )
    }

  const thing = {
    name: ({ id }: Machine) => `machine ${numberOf(id)}`,
    seenBy: (_: Machine, _args: unknown, { request }: LiveContext) => userOf(request.viewer),
  }

  const world: LiveWorld = {
    redis,
    reader,
    runs,
    speakers: new Set(),
    beforeNote: undefined,
    bulkLength: 1,
    isRefusing: false,
    create({ access }) {
      const createContext = (request: SubgraphRequest): LiveContext => ({
        request,
        access: grantedAccess(access, request),
      })
      const plant = {
        Query: { machine: (_: unknown, { id }: { id: string }) => ({ __typename: 'Machine', id }) },
        Subscription: {
          machineChanged: {
            subscribe: follow('machineChanged', 'Machine'),
            resolve(root: { machineChanged: Machine }) {
              countRun('plant', root.machineChanged.id)
              return root.machineChanged
            },
          },
          thingChanged: { subscribe: follow('thingChanged', 'Machine') },
          hitChanged: { subscribe: follow('hitChanged', 'Robot') },
        },
        Machine: {
          ...thing,
          bulk: () => 'x'.repeat(world.bulkLength),
          viewerRole: ({ id }: Machine, _: unknown, context: LiveContext) => roleIn(id, context),
          wage: async ({ id }: Machine, _: unknown, context: LiveContext) => {
            if ((await roleIn(id, context)) === 'OWNER') return 7
            throw new AppError('FORBIDDEN', 'Only owners see this.')
          },
          space: ({ id }: Machine) => ({ id: spaceOf(id) }),
        },
        Robot: thing,
        Space: {
          viewerRole: ({ id }: { id: string }, _: unknown, context: LiveContext) =>
            roleIn(`${id}/0`, context),
          favourite: (_: unknown, _args: unknown, { request }: LiveContext) =>
            userOf(request.viewer).charCodeAt(0) % 2 === 0,
        },
      }
      const care = {
        Query: { careTeam: () => 'us' },
        Machine: {
          __resolveReference: async ({ id }: { id: string }) => ({ id }),
          note: async ({ id }: { id: string }, _: unknown, { request }: LiveContext) => {
            countRun('care', id)
            world.speakers.add(userOf(request.viewer))
            await world.beforeNote?.(numberOf(id))
            return `note ${numberOf(id)}`
          },
          duty: async ({ id }: { id: string }, _: unknown, context: LiveContext) =>
            `duty of ${await roleIn(id, context)}`,
          mine: (_: unknown, _args: unknown, { request }: LiveContext) => `of ${userOf(request.viewer)}`,
        },
      }
      const make = (name: string, typeDefs: string, resolvers: object): Subgraph => ({
        name,
        schema: buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers: resolvers as never }]),
        createContext,
      })
      return {
        supergraphSdl: LIVE_SUPERGRAPH,
        subgraphs: [make('plant', PLANT, plant), make('care', CARE, care)],
      }
    },
    async publish(spaceId, ...numbers) {
      for (const number of numbers)
        await publisher.publish('state', [
          { deviceId: String(number), spaceId, at: number, status: 'RUNNING', metrics: null },
        ])
    },
    async trim(spaceId, keep) {
      await redis.live.xtrim(redisKeys.liveTopic('state', spaceId), 'MAXLEN', '=', keep)
    },
    async [Symbol.asyncDispose]() {
      await reader[Symbol.asyncDispose]()
      await redis[Symbol.asyncDispose]()
    },
  }
  return world
}

function numberOf(id: string): number {
  return Number(id.slice(id.indexOf('/') + 1))
}

function spaceOf(id: string): string {
  return id.slice(0, id.indexOf('/'))
}

function userOf(viewer: Viewer | null): string {
  return viewer?.kind === 'user' ? viewer.userId : 'nobody'
}
