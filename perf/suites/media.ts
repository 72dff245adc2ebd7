import { readFile } from 'node:fs/promises'
import { startProduct } from '../../subgraphs/shared/testkit/product.ts'
import type { BareReady } from '../peers/media/bare.ts'
import type { Visit } from '../peers/media/clients.ts'
import type { PresenceSite, SiteDevice } from '../peers/presence/site.ts'
import { createCheck } from '../runner/check.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { startProgram } from '../runner/program.ts'
import { quantile } from '../runner/statistics.ts'
import { startStompGenerator } from '../runner/stomp-generator.ts'
import type { Suite } from '../runner/suite.ts'
import { LIVE_QUERY, SEED_DEVICES, SEED_MESSAGES } from './ingest/ingest-plan.ts'
import { startClients } from './media/clients.ts'
import { findFanLimit } from './media/find-fan-limit.ts'
import { costPerViewer, measureCrowds } from './media/measure-crowds.ts'
import { FULL_PLAN, LIMITS, QUICK_PLAN } from './media/media-plan.ts'
import { openQueries } from './media/open-queries.ts'

/** Visits before the first one that counts: the code of all processes is warm then. */
const WARM_VISITS = 3

/** How soon viewers see a picture, how fast signaling is under load, and what a viewer costs beside bare mediasoup. */
export const mediaSuite: Suite = {
  title: 'live video: joining, signaling under load, and CPU per viewer beside bare mediasoup',

  async run({ isQuick, progress }) {
    const plan = isQuick ? QUICK_PLAN : FULL_PLAN
    progress('a site, and a process for media')
    await using site = await startProgram<PresenceSite>({
      name: 'site',
      file: new URL('../peers/presence/site.ts', import.meta.url),
      options: { devices: SEED_DEVICES },
      cpu: null,
    })
    const { spaceId, userToken: token, devicesFile } = site.ready
    const devices: SiteDevice[] = JSON.parse(await readFile(devicesFile, 'utf8'))
    const [browserCamera, ffmpegCamera, syntheticCamera] = devices
    if (browserCamera === undefined || ffmpegCamera === undefined || syntheticCamera === undefined)
      throw new TypeError('Expected a site with three devices')
    const env = {
      ...{ ...site.ready.env, LOG_LEVEL: 'error', NUVION_RATE_LIMIT: '0' },
      ...{
        NUVION_MEDIA_LISTEN: '127.0.0.1',
        NUVION_ANNOUNCED_ADDRESS: '127.0.0.1',
        NUVION_MEDIA_WORKERS: '1',
      },
    }
    await using media = await startProduct({ roles: ['media'], env })
    await using _ingest = await startProduct({ roles: ['ingest'], env })
    await using product = await startProduct({
      roles: ['gateway', 'device', 'events', 'reports', 'streaming'],
      env: { ...env, MEDIA_URL: media.url },
    })
    await using door = await startProduct({ roles: ['stomp'], env })
    await using clients = await startClients({ url: product.url, viewerToken: token })
    if (clients.missing.length > 0) return skip(clients.missing)

    const endWatch = watchMachine()
    const filmed = (of: SiteDevice) => ({ deviceId: of.deviceId, deviceToken: of.token })
    progress(`${plan.joins} viewers join one after another, a browser sends`)
    await clients.ask({ do: 'publish', ...filmed(browserCamera) })
    await clients.visit(browserCamera.deviceId, WARM_VISITS)
    const quiet = await clients.visit(browserCamera.deviceId, plan.joins)

    progress(`the same while ${SEED_DEVICES} devices and their people are at work`)
    await using generator = await startStompGenerator({ cpu: null })
    await generator.open('seed', {
      url: `${door.url.replace('http', 'ws')}/stomp/websocket`,
      logins: devices.map(({ deviceId, credential }) => ({ login: deviceId, passcode: credential })),
      connectHeaders: {},
      sendHeaders: {},
    })
    const endQueries = openQueries(product.url, token, spaceId)
    const graphqlUrl = `${product.url.replace('http', 'ws')}/graphql`
    const pacing = generator.pace('seed', {
      devices: SEED_DEVICES,
      messages: SEED_MESSAGES,
      followed: '/app/log',
      viewers: { url: graphqlUrl, tokens: [token], payload: { query: LIVE_QUERY, variables: { spaceId } } },
      ...plan.load,
    })
    pacing.catch(() => {})
    const loaded: Visit[] = []
    let isPaced = false
    pacing
      .finally(() => {
        isPaced = true
      })
      .catch(() => {})
    while (!isPaced && loaded.length < plan.joins)
      loaded.push(...(await clients.visit(browserCamera.deviceId, 1)))
    const load = { pace: await pacing, queries: await endQueries() }
    await generator.close('seed')

    progress(`${plan.rtpJoins} viewers join, ffmpeg sends by RTP`)
    await clients.ask({ do: 'film', ...filmed(ffmpegCamera), camera: 'ffmpeg' })
    const rtp = await clients.visit(ffmpegCamera.deviceId, plan.rtpJoins)

    progress(`crowds of ${plan.crowds.join(' and ')} at 1.5 Mbit/s`)
    await clients.ask({ do: 'film', ...filmed(syntheticCamera), camera: 'synthetic' })
    const crowdPlan = { sizes: [0, ...plan.crowds], ms: plan.crowdMs }
    const { deviceId } = syntheticCamera
    const ours = await measureCrowds(clients, { ...crowdPlan, pid: media.pid, deviceId })
    await clients[Symbol.asyncDispose]()

    progress('the same of bare mediasoup')
    await using bare = await startProgram<BareReady>({
      name: 'bare mediasoup',
      file: new URL('../peers/media/bare.ts', import.meta.url),
      cpu: null,
    })
    await using bareClients = await startClients({ url: bare.ready.url, viewerToken: null })
    await bareClients.ask({ do: 'film', deviceId, deviceToken: null, camera: 'synthetic' })
    const theirs = await measureCrowds(bareClients, { ...crowdPlan, pid: bare.pid, deviceId })
    await bareClients[Symbol.asyncDispose]()
    progress('viewers of a bare worker before packets are lost')
    const fan = await findFanLimit(bare, plan.fan)
    const use = endWatch()

    const p95 = (all: readonly number[]) => quantile(all, 0.95)
    const calls = loaded.flatMap(visit => visit.calls)
    const [few, many, bareMany] = [
      costPerViewer(ours, 0, 1),
      costPerViewer(ours, 0, 2),
      costPerViewer(theirs, 0, 2),
    ]
    const lower = (name: string, value: number, unit: string, limit: number | null = null) =>
      createCheck({ name: `media.${name}`, value, unit, limit, better: 'lower' })
    return {
      checks: [
        lower('node_cpu_per_viewer_ms_s', many.node, 'ms/s'),
        lower(
          'join_to_frame_p95_ms',
          p95(quiet.map(visit => visit.firstFrameMs)),
          'ms',
          LIMITS.joinToFrameMs,
        ),
        lower('signaling_p95_ms', p95(calls.map(({ ms }) => ms)), 'ms', LIMITS.signalingMs),
        lower(
          'rtp_join_to_frame_p95_ms',
          p95(rtp.map(visit => visit.firstFrameMs)),
          'ms',
          LIMITS.rtpJoinToFrameMs,
        ),
      ],
      reasons: [
        ...judgeMachine(use),
        ...(load.queries.failed > 0
          ? [`${load.queries.failed} queries failed: ${load.queries.firstFailure}`]
          : []),
        ...(loaded.length < plan.joins
          ? [`Only ${loaded.length} of ${plan.joins} viewers joined while the load ran.`]
          : []),
      ],
      details: {
        machine: describeMachine(),
        machineUse: use,
        plan,
        nodeCpuPerViewerMsS: { few: few.node, many: many.node },
        signalingP95MsByCall: byCall(calls),
        joinToFrameP95MsUnderLoad: p95(loaded.map(visit => visit.firstFrameMs)),
        load,
        viewersPerCore: {
          ours: 1_000 / many.all,
          bareWithBrowsers: 1_000 / bareMany.all,
          bareBeforeLoss: fan,
        },
        crowds: { ours, bare: theirs },
        joins: { quiet, loaded, rtp },
      },
    }
  },
}

/** Nothing is measured without what live video needs. */
function skip(missing: readonly string[]) {
  return { checks: [], reasons: missing.map(what => `Skipped: this needs ${what}.`), details: { missing } }
}

function byCall(calls: Visit['calls']): Record<string, number> {
  const methods = Object.groupBy(calls, ({ method }) => method)
  return Object.fromEntries(
    Object.entries(methods).map(([method, all = []]) => [
      method,
      quantile(
        all.map(({ ms }) => ms),
        0.95,
      ),
    ]),
  )
}
