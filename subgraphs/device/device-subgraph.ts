import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { readSubgraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import type { Subgraph } from '../shared/graphql/subgraph.ts'
import { createLivePublisher } from '../shared/live-topic/live-publisher.ts'
import { createAddressTurns } from './address-turns.ts'
import { createDeviceContext, type DeviceResources } from './context.ts'
import { createDeviceCredentials } from './device-credentials.ts'
import { createDevices } from './devices.ts'
import { createInvitations } from './invitations.ts'
import { createLines } from './lines.ts'
import { createLiveValues } from './live-values.ts'
import { createMembers } from './members.ts'
import { createPasswordChanges } from './password-changes.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { createProcesses } from './processes.ts'
import { resolvers } from './resolvers/resolvers.ts'
import { createRevocations } from './revocations.ts'
import { createSessions } from './sessions.ts'
import { createSignUps } from './sign-ups.ts'
import { DEFAULT_SPACE_LIMITS } from './space-limits.ts'
import { createSpaces } from './spaces.ts'
import { createTopologyCache } from './topology-cache.ts'
import { createTopologyChanges } from './topology-changes.ts'

/** Creates the device subgraph: identity, topology, and what devices report. Reads its SDL from schema/graphql. */
export function createDeviceSubgraph(resources: DeviceResources): Subgraph {
  const { db, live, liveReader, access, signer, secret, logger, nudgeMailer = () => {} } = resources
  const topology = createTopologyCache({ db })
  resources.topologyWatch?.onChange(topology.forget)
  const passwords = createPasswordHasher()
  const turns = createAddressTurns()
  // Mutations wait for it; one that Redis does not take in time has happened all the same.
  const publisher = createLivePublisher({ redis: live, deadlineMs: 1_000 })
  const revocations = createRevocations({ publisher, access, logger })
  const topologyChanges = createTopologyChanges({ topology, publisher, logger })
  const limits = { ...DEFAULT_SPACE_LIMITS, ...resources.spaceLimits }
  const services = {
    db,
    liveReader,
    access,
    sessions: createSessions({ db, signer, passwords, secret, revocations }),
    signUps: createSignUps({ db, passwords, secret, turns, revocations, nudgeMailer }),
    passwordChanges: createPasswordChanges({ db, passwords, turns, revocations, nudgeMailer }),
    spaces: createSpaces({ db, revocations, topologyChanges, limits }),
    members: createMembers({ db, revocations, limits }),
    invitations: createInvitations({ db, revocations, nudgeMailer, limits }),
    lines: createLines({ db, topologyChanges }),
    processes: createProcesses({ db, topologyChanges }),
    devices: createDevices({ db, topologyChanges, revocations }),
    deviceCredentials: createDeviceCredentials({ db, signer, revocations }),
    revocations,
    nudgeMailer,
    liveValues: createLiveValues({ redis: live, logger }),
    topology,
    topologyChanges,
  }
  return {
    name: 'device',
    // As an array: given bare, typeDefs and resolvers are read as two modules.
    schema: buildSubgraphSchema([{ typeDefs: parse(readSubgraphSdl('device')), resolvers }]),
    createContext: (request, reply) => createDeviceContext(services, request, reply),
  }
}
