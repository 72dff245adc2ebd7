import { setTimeout as sleep } from 'node:timers/promises'
import { openStompSession, type StompSession } from '../field/sockjs-stomp.ts'
import { makeOperations } from './query-operations.ts'
import { ask, mutate } from './site-api.ts'
import { QUERY_KINDS } from './workload.ts'

/** What a step has to know, and may leave for those after it. */
export interface Ground {
  readonly url: string
  readonly token: string
  readonly spaceId: string
  readonly device: {
    readonly deviceId: string
    readonly credential: string
    readonly code: string
    readonly lineId: string
  }
  readonly logId: string
  readonly anomalyId: string
  readonly anomalyType: string
  /** Ids of events that have come over the subscriptions. */
  readonly heard: Set<string>
  /** Receipts that have come. */
  readonly receipts: Set<string>
  session: StompSession | null
}

/** Something that the product must be able to do; throws an Error that says what was wrong. */
export interface Step {
  readonly name: string
  run(ground: Ground): Promise<void>
}

const EVENT_DEADLINE_MS = 10_000
const POLL_INTERVAL_MS = 50
const MESSAGE = 'Smoke: spindle load within tolerance'

function expect(holds: boolean, what: string, got: unknown): void {
  if (!holds) throw new Error(`expected ${what}, got ${JSON.stringify(got)?.slice(0, 300)}`)
}

async function waitFor<T>(
  what: string,
  read: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  for (
    const deadline = Date.now() + EVENT_DEADLINE_MS;
    Date.now() < deadline;
    await sleep(POLL_INTERVAL_MS)
  ) {
    const value = await read()
    if (value) return value
  }
  throw new Error(`${what} did not come in ${EVENT_DEADLINE_MS / 1_000} s`)
}

const receipted = (ground: Ground, receipt: string) =>
  waitFor(`the receipt ${receipt}`, () => ground.receipts.has(receipt))

/** In this order: later ones look at what earlier ones have left. */
export const STEPS: readonly Step[] = [
  {
    name: 'a person is told who they are and which spaces they have',
    async run({ url, token, spaceId }) {
      const data = await ask<{
        viewer: { emailVerified: boolean }
        spaces: { nodes: { id: string; viewerRole: string }[] }
      }>(url, token, '{ viewer { emailVerified } spaces(first: 100) { nodes { id viewerRole } } }')
      const own = data.spaces.nodes.find(({ id }) => id === spaceId)
      expect(data.viewer.emailVerified && own?.viewerRole === 'OWNER', 'to own the space', data)
    },
  },
  {
    name: 'a device connects over SockJS and is seen online',
    async run(ground) {
      const { url, token, device } = ground
      ground.session = await openStompSession({
        ...{ url, login: device.deviceId, passcode: device.credential },
        onReceipt: receipt => void ground.receipts.add(receipt),
        onMessage: () => {},
        onEnd: () => {},
      })
      const query = 'query ($id: ID!) { device(id: $id) { online } }'
      await waitFor(
        'online',
        async () =>
          (await ask<{ device: { online: boolean } }>(url, token, query, { id: device.deviceId })).device
            .online,
      )
      await waitFor('the presence', () => ground.heard.has(device.deviceId))
    },
  },
  {
    name: 'a state and a connectivity are receipted and shown',
    async run(ground) {
      const { url, token, device, session } = ground
      const temperatureC = Math.round(Math.random() * 1_000) / 10
      session?.send('/app/state', JSON.stringify({ status: 'RUNNING', metrics: { temperatureC } }), 'state')
      session?.send(
        '/app/connectivity',
        JSON.stringify({ network: 'ETHERNET', signal: -42, latencyMs: 3 }),
        'connectivity',
      )
      await receipted(ground, 'state')
      await receipted(ground, 'connectivity')
      const query =
        'query ($id: ID!) { device(id: $id) { state { status metrics } connectivity { network signal } } }'
      type Shown = {
        device: {
          state: { status: string; metrics: { temperatureC: number } } | null
          connectivity: { signal: number } | null
        }
      }
      await waitFor('the state', async () => {
        const { device: shown } = await ask<Shown>(url, token, query, { id: device.deviceId })
        return shown.state?.metrics.temperatureC === temperatureC && shown.connectivity?.signal === -42
      })
    },
  },
  {
    name: 'a log is receipted, comes to its followers and is found, whole',
    async run(ground) {
      const { url, token, spaceId, device, session, logId } = ground
      const body = { id: logId, level: 'WARN', message: MESSAGE, attributes: { load: 0.7 } }
      session?.send('/app/log', JSON.stringify(body), 'log')
      await receipted(ground, 'log')
      await waitFor('the log at its followers', () => ground.heard.has(logId))
      const query = `query ($spaceId: ID!, $filter: LogFilter) { logs(spaceId: $spaceId, filter: $filter, first: 5) {
        nodes { id level message attributes device { code } line { id } } } }`
      const filter = { deviceIds: [device.deviceId], levels: ['WARN'] }
      type Logs = {
        logs: {
          nodes: {
            id: string
            level: string
            message: string
            attributes: object
            device: { code: string }
            line: { id: string }
          }[]
        }
      }
      const { logs } = await ask<Logs>(url, token, query, { spaceId, filter })
      const [newest] = logs.nodes
      const isWhole =
        newest?.id === logId &&
        newest.message === MESSAGE &&
        newest.level === 'WARN' &&
        newest.device.code === device.code &&
        newest.line.id === device.lineId
      expect(
        isWhole && JSON.stringify(newest.attributes) === '{"load":0.7}',
        'the log as it was sent',
        newest,
      )
    },
  },
  {
    name: 'the same log sent again is receipted and kept once',
    async run(ground) {
      const { url, token, spaceId, session, logId } = ground
      session?.send('/app/log', JSON.stringify({ id: logId, level: 'WARN', message: MESSAGE }), 'again')
      await receipted(ground, 'again')
      const query = `query ($spaceId: ID!, $filter: LogFilter) { logs(spaceId: $spaceId, filter: $filter, first: 50) { nodes { id } } }`
      const { logs } = await ask<{ logs: { nodes: { id: string }[] } }>(url, token, query, {
        spaceId,
        filter: null,
      })
      expect(logs.nodes.filter(({ id }) => id === logId).length === 1, 'one row', logs.nodes)
    },
  },
  {
    name: 'an anomaly is raised, acknowledged, commented on and resolved',
    async run(ground) {
      const { url, token, session, anomalyId, anomalyType: type } = ground
      const body = { id: anomalyId, type, severity: 'MINOR', message: MESSAGE, score: 0.9 }
      session?.send('/app/anomaly', JSON.stringify(body), 'anomaly')
      await receipted(ground, 'anomaly')
      await waitFor('the anomaly at its followers', () => ground.heard.has(anomalyId))
      const input = { anomalyId }
      const acknowledged = await mutate<{ anomaly: { status: string } }>(
        url,
        token,
        'acknowledgeAnomaly',
        input,
        'anomaly { status }',
      )
      expect(acknowledged.anomaly.status === 'ACKNOWLEDGED', 'ACKNOWLEDGED', acknowledged)
      await mutate(url, token, 'commentOnAnomaly', { anomalyId, body: 'Looked at it' }, 'comment { id }')
      const resolved = await mutate<{ anomaly: { status: string } }>(
        url,
        token,
        'resolveAnomaly',
        input,
        'anomaly { status }',
      )
      expect(resolved.anomaly.status === 'RESOLVED', 'RESOLVED', resolved)
      const query =
        'query ($id: ID!) { anomaly(id: $id) { type severity occurrences comments { nodes { kind body } } } }'
      type Shown = {
        anomaly: {
          type: string
          severity: string
          occurrences: number
          comments: { nodes: { kind: string; body: string }[] }
        }
      }
      const { anomaly } = await ask<Shown>(url, token, query, { id: anomalyId })
      const bodies = anomaly.comments.nodes.filter(({ kind }) => kind === 'USER').map(({ body }) => body)
      const isWhole = anomaly.type === type && anomaly.severity === 'MINOR' && anomaly.occurrences === 1
      expect(
        isWhole && bodies.join() === 'Looked at it' && anomaly.comments.nodes.length >= 3,
        'the whole story',
        anomaly,
      )
    },
  },
  {
    name: 'dashboard, lists and reports answer as the load suites ask them',
    async run({ url, token, spaceId, device }) {
      const place = { spaceId, lineIds: [device.lineId], deviceIds: [device.deviceId] }
      for (const { query, variables, field } of QUERY_KINDS.flatMap(kind =>
        makeOperations(kind, place, Date.now()),
      )) {
        const data = await ask<Record<string, object | null>>(url, token, query, { ...variables })
        expect(data[field] != null, field, data)
      }
    },
  },
  {
    name: 'a report has counted the log and the anomaly',
    async run({ url, token, spaceId, device }) {
      const query = `query ($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
        anomalyReport(spaceId: $spaceId, from: $from, to: $to, groupBy: [DEVICE]) { total rows { device { id } total } }
        logReport(spaceId: $spaceId, from: $from, to: $to, groupBy: [LEVEL]) { total rows { level total } } }`
      const range = {
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: new Date(Date.now() + 60_000).toISOString(),
      }
      type Reports = {
        anomalyReport: { rows: { device: { id: string }; total: number }[] }
        logReport: { rows: { level: string; total: number }[] }
      }
      const data = await ask<Reports>(url, token, query, { spaceId, ...range })
      const own = data.anomalyReport.rows.find(row => row.device.id === device.deviceId)
      const warnings = data.logReport.rows.find(({ level }) => level === 'WARN')
      expect((own?.total ?? 0) >= 1 && (warnings?.total ?? 0) >= 1, 'both counted', data)
    },
  },
  {
    name: 'logs are exported as CSV',
    async run({ url, token, spaceId, device, logId }) {
      const input = {
        ...{ spaceId, kind: 'LOGS', deviceIds: [device.deviceId], levels: ['WARN'] },
        ...{
          from: new Date(Date.now() - 3_600_000).toISOString(),
          to: new Date(Date.now() + 60_000).toISOString(),
        },
      }
      const exported = await mutate<{ url: string }>(url, token, 'exportReport', input, 'url')
      const response = await fetch(new URL(exported.url, url), {
        signal: AbortSignal.timeout(EVENT_DEADLINE_MS),
      })
      const csv = await response.text()
      expect(response.ok && csv.includes(MESSAGE), `the log ${logId} in the file`, csv)
    },
  },
  {
    name: 'what is watched comes into the feed',
    async run({ url, token, device, anomalyId }) {
      await mutate(url, token, 'watch', { kind: 'DEVICE', id: device.deviceId }, 'watch { since }')
      const query = '{ feed(first: 50) { nodes { __typename ... on Anomaly { id } } } }'
      const { feed } = await ask<{ feed: { nodes: { id?: string }[] } }>(url, token, query)
      const unwatch = 'mutation ($input: WatchInput!) { unwatch(input: $input) { userErrors { code } } }'
      await ask(url, token, unwatch, { input: { kind: 'DEVICE', id: device.deviceId } })
      expect(
        feed.nodes.some(({ id }) => id === anomalyId),
        'the anomaly in the feed',
        feed.nodes.slice(0, 3),
      )
    },
  },
  {
    name: 'people outside are told nothing, and a wrong credential is refused',
    async run({ url, spaceId, device }) {
      const query = 'query ($spaceId: ID!) { logs(spaceId: $spaceId, first: 1) { nodes { id } } }'
      const told = await ask(url, null, query, { spaceId }).then(
        data => JSON.stringify(data),
        error => (error as { code?: string }).code ?? 'no code',
      )
      expect(told === 'UNAUTHENTICATED', 'UNAUTHENTICATED', told)
      const refused = await mutate(
        url,
        null,
        'deviceToken',
        { deviceId: device.deviceId, credential: 'wrong' },
        'token',
      ).then(
        data => JSON.stringify(data),
        error => (error as { code?: string }).code ?? 'no code',
      )
      expect(/INVALID_CREDENTIALS|UNAUTHENTICATED/.test(refused), 'a refusal', refused)
    },
  },
  {
    name: 'a device that leaves is seen offline',
    async run(ground) {
      const { url, token, device } = ground
      ground.session?.close()
      const query = 'query ($id: ID!) { device(id: $id) { online } }'
      await waitFor(
        'offline',
        async () =>
          !(await ask<{ device: { online: boolean } }>(url, token, query, { id: device.deviceId })).device
            .online,
      )
    },
  },
]
