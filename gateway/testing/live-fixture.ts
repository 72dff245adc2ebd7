import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { composeSupergraph } from '../../schema/graphql/compose.ts'
import { followTopic } from '../../subgraphs/shared/graphql/follow-topic.ts'
import type { Subgraph, SubgraphRequest } from '../../subgraphs/shared/graphql/subgraph.ts'
import type { LiveReader } from '../../subgraphs/shared/live-topic/live-topics.ts'
import { createFixture, type Fixture } from './fixture-subgraphs.ts'

const STATES = `
  type Query { now: Int }
  type Subscription { stateChanged(spaceId: ID!): State }
  type State { at: Int!  text: String }
`

/** The supergraph of createLiveFixture. */
export const LIVE_SUPERGRAPH = composeSupergraph([{ name: 'states', typeDefs: STATES }])

/** Creates a fixture of one subgraph, which follows the states of real live topics. Text is `metrics.text`. */
export function createLiveFixture(liveReader: Pick<LiveReader, 'subscribe'>): Fixture {
  const states: Subgraph = {
    name: 'states',
    schema: buildSubgraphSchema([
      {
        typeDefs: parse(STATES),
        resolvers: {
          Subscription: {
            stateChanged: {
              subscribe: (_: unknown, { spaceId }: { spaceId: string }, { start }: SubgraphRequest) =>
                followTopic(liveReader, 'state', spaceId, start, event => ({
                  stateChanged: { at: event.at, text: event.metrics?.text },
                })),
            },
          },
        },
      },
    ]),
    createContext: request => request,
  }
  return { ...createFixture(), subgraphs: [states] }
}
