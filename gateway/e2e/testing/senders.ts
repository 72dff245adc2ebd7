import type { Cluster } from '../../../subgraphs/shared/testkit/cluster.ts'
import { graphqlData, signIn } from '../../../subgraphs/shared/testkit/graphql-request.ts'
import type { DeviceLogin } from '../../../subgraphs/shared/testkit/stomp-device.ts'

/** Devices of a space, and somebody who sees them. */
export interface Senders {
  readonly token: string
  readonly spaceId: string
  readonly logins: readonly DeviceLogin[]
}

/** Registers devices in the demo space of a cluster. */
export async function registerSenders(cluster: Pick<Cluster, 'gatewayUrl'>, count: number): Promise<Senders> {
  const token = await signIn(cluster.gatewayUrl)
  const { spaces } = await graphqlData<{ spaces: { nodes: { id: string }[] } }>(
    cluster.gatewayUrl,
    '{ spaces { nodes { id } } }',
    { token },
  )
  const spaceId = spaces.nodes[0]?.id ?? ''
  const devices = Array.from({ length: count }, (_, index) => {
    return { code: `sender-${index}`, name: `Sender ${index}` }
  })
  const { registerDevices } = await graphqlData<{
    registerDevices: {
      registered: { device: { id: string }; credential: string }[] | null
      userErrors: unknown[]
    }
  }>(
    cluster.gatewayUrl,
    `mutation ($input: RegisterDevicesInput!) {
      registerDevices(input: $input) { registered { device { id } credential } userErrors { code message field } }
    }`,
    { token, variables: { input: { spaceId, devices } } },
  )
  if (registerDevices.registered === null) throw new Error(JSON.stringify(registerDevices.userErrors))
  const logins = registerDevices.registered.map(({ device, credential }) => {
    return { deviceId: device.id, credential }
  })
  return { token, spaceId, logins }
}
