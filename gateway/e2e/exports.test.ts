import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMembers } from '../../subgraphs/shared/testkit/add-members.ts'
import { type Cluster, startCluster } from '../../subgraphs/shared/testkit/cluster.ts'
import { graphqlData, signIn } from '../../subgraphs/shared/testkit/graphql-request.ts'
import { waitFor } from '../../subgraphs/shared/testkit/wait-for.ts'
import { newId, newIdAt } from '../../subgraphs/shared/uuid-v7.ts'

const EXPORT = `mutation ($input: ExportReportInput!) {
  exportReport(input: $input) { url userErrors { message } }
}`
const DAY_MS = 86_400_000
const ROWS = 40_000

describe('files of reports in a cluster', () => {
  let cluster: Cluster
  let spaceId: string
  let owner: string

  beforeAll(async () => {
    cluster = await startCluster()
    owner = await signIn(cluster.gatewayUrl)
    const { spaces } = await graphqlData<{ spaces: { nodes: { id: string }[] } }>(
      cluster.gatewayUrl,
      '{ spaces { nodes { id } } }',
      { token: owner },
    )
    spaceId = spaces.nodes[0]?.id ?? ''
    const [deviceId, yesterday] = [newId(), Date.now() - DAY_MS]
    const message = '=Spindle temperature, as it was '.repeat(10)
    for (let from = 0; from < ROWS; from += 2_000)
      await cluster.database.pool.query(
        'INSERT INTO log (space_id, id, device_id, level, message, clock_replaced, received_at) VALUES ?',
        [
          Array.from({ length: 2_000 }, (_, i) => {
            const at = yesterday + from + i
            return [spaceId, newIdAt(at), deviceId, 'INFO', message, false, new Date(at)]
          }),
        ],
      )
  }, 60_000)
  afterAll(() => cluster[Symbol.asyncDispose]())

  async function askForLink(token: string): Promise<string> {
    const input = {
      ...{ spaceId, kind: 'LOGS' },
      ...{ from: new Date(Date.now() - 2 * DAY_MS).toISOString(), to: new Date().toISOString() },
    }
    const { exportReport } = await graphqlData<{ exportReport: { url: string } }>(
      cluster.gatewayUrl,
      EXPORT,
      {
        token,
        variables: { input },
      },
    )
    return exportReport.url
  }

  it('come whole by the gateway, and by nobody else', async () => {
    const path = await askForLink(owner)
    const response = await fetch(cluster.gatewayUrl + path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = (await response.text()).split('\r\n')
    expect(lines).toHaveLength(ROWS + 2)
    expect(lines[1]).toContain(',"\'=Spindle')
    expect((await fetch(cluster.process('reports').url + path)).status).toBe(401)
    expect((await fetch(`${cluster.gatewayUrl}${path}A`)).status).toBe(403)
  })

  it('are shut to who has been removed since the link was made', async () => {
    const [email = ''] = await addMembers(cluster.database.db, { spaceId, count: 1 })
    const path = await askForLink(await signIn(cluster.gatewayUrl, email))
    expect((await fetch(cluster.gatewayUrl + path, { method: 'HEAD' })).status).toBe(200)
    const { space } = await graphqlData<{
      space: { members: { nodes: { user: { id: string; email: string } }[] } }
    }>(
      cluster.gatewayUrl,
      'query ($id: ID!) { space(id: $id) { members { nodes { user { id email } } } } }',
      { token: owner, variables: { id: spaceId } },
    )
    const userId = space.members.nodes.find(({ user }) => user.email === email)?.user.id
    await graphqlData(
      cluster.gatewayUrl,
      'mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { userErrors { message } } }',
      { token: owner, variables: { input: { spaceId, userId } } },
    )
    await waitFor(async () => (await fetch(cluster.gatewayUrl + path, { method: 'HEAD' })).status === 404)
  })

  it('break off where reports are killed, are away for so long, and come again', async () => {
    const path = await askForLink(owner)
    const request = get(cluster.gatewayUrl + path)
    request.on('error', () => {})
    const [response] = await once(request, 'response')
    await cluster.kill('reports')
    response.on('error', () => {}).resume()
    await waitFor(() => response.closed)
    expect(response.complete).toBe(false)
    expect((await fetch(cluster.gatewayUrl + path)).status).toBe(503)
    await cluster.start('reports')
    expect((await fetch(cluster.gatewayUrl + path, { method: 'HEAD' })).status).toBe(200)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'break off where the gateway gets %s, and keep no place in reports',
    async signal => {
      const downloads: IncomingMessage[] = []
      // As many as reports send at once.
      for (let i = 0; i < 4; i++) {
        const request = get(cluster.gatewayUrl + (await askForLink(owner)))
        request.on('error', () => {})
        const [response] = await once(request, 'response')
        downloads.push(response)
      }
      const path = await askForLink(owner)
      expect((await fetch(cluster.gatewayUrl + path)).status).toBe(503)
      await cluster.kill('gateway', signal)
      for (const response of downloads) response.on('error', () => {}).resume()
      await waitFor(() => downloads.every(({ closed }) => closed))
      expect(downloads.map(({ complete }) => complete)).toEqual([false, false, false, false])
      await cluster.start('gateway')
      await waitFor(async () => (await fetch(cluster.gatewayUrl + path, { method: 'HEAD' })).status === 200)
      const response = await fetch(cluster.gatewayUrl + path)
      expect((await response.text()).split('\r\n')).toHaveLength(ROWS + 2)
      const [running] = await cluster.database.pool.query(
        "SELECT INFO FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT id, received_at%' AND DB = DATABASE()",
      )
      expect(running).toEqual([])
    },
  )

  it('are reset over HTTP/1.0 when the gateway stops, whose end would be the end of the file', async () => {
    const { hostname, port } = new URL(cluster.gatewayUrl)
    const socket = connect(Number(port), hostname)
    socket.write(`GET ${await askForLink(owner)} HTTP/1.0\r\n\r\n`)
    await once(socket, 'readable')
    const failed = once(socket, 'close').then(
      () => null,
      error => error,
    )
    await cluster.kill('gateway', 'SIGTERM')
    socket.resume()
    expect(await failed).toMatchObject({ code: 'ECONNRESET' })
    await cluster.start('gateway')
  })
})
