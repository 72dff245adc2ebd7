import { readFile } from 'node:fs/promises'
import { startProduct } from '../../subgraphs/shared/testkit/product.ts'
import type { PresenceSite, SiteDevice } from '../peers/presence/site.ts'
import { createCheck } from '../runner/check.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { startProgram } from '../runner/program.ts'
import { quantile, summarise } from '../runner/statistics.ts'
import type { Suite } from '../runner/suite.ts'
import { connectDevice } from './presence/device-socket.ts'
import { measureStorm, type Storm } from './presence/measure-storm.ts'
import { followPresence, type PresenceFollower } from './presence/presence-follower.ts'

const FULL_PLAN = { devices: 2_000, rounds: 5, visits: 200, silent: 50 }
const QUICK_PLAN = { devices: 300, rounds: 2, visits: 20, silent: 5 }

/** A device offers this and is silent: the door waits for twice of it. */
const HEART_BEAT_MS = 10_000
const SILENCE_MS = 2 * HEART_BEAT_MS

const VISIT_DEADLINE_MS = 5_000
/** Devices that visit before the first one that counts: the code of all processes is warm then. */
const WARM_VISITS = 20

/** The storm of a fleet that comes back, and how soon people see who comes and who is silent. */
export const presenceSuite: Suite = {
  title: 'a fleet that connects at once, and how soon devices are seen online and offline',

  async run({ isQuick, progress }) {
    const plan = isQuick ? QUICK_PLAN : FULL_PLAN
    progress(`a site with ${plan.devices} devices`)
    await using site = await startProgram<PresenceSite>({
      name: 'site',
      file: new URL('../peers/presence/site.ts', import.meta.url),
      options: { devices: plan.devices },
      cpu: null,
    })
    const { env, spaceId, userToken: token, devicesFile } = site.ready
    const devices: SiteDevice[] = JSON.parse(await readFile(devicesFile, 'utf8'))
    await using device = await startProduct({ roles: ['device'], env })
    await using events = await startProduct({ roles: ['events'], env })
    await using _ingest = await startProduct({ roles: ['ingest'], env })
    await using gateway = await startProduct({
      roles: ['gateway', 'reports', 'streaming'],
      env: { ...env, DEVICE_URL: device.url, EVENTS_URL: events.url },
    })
    await using door = await startProduct({ roles: ['stomp'], env })

    await using probe = await startProgram<object>({
      name: 'accept probe',
      file: new URL('../peers/presence/accept-probe.ts', import.meta.url),
      options: { url: `${door.url}/stomp/info` },
      cpu: null,
    })

    const endWatch = watchMachine()
    const byCredential = ({ deviceId, credential }: SiteDevice) => {
      return { login: deviceId, passcode: credential }
    }
    const byToken = (of: SiteDevice) => ({ Authorization: `Bearer ${of.token}` })
    const storms: Record<'credential' | 'token', Storm[]> = { credential: [], token: [] }
    // The first round finds the door cold, in its code and in what it remembers.
    for (let round = 0; round <= plan.rounds; round++)
      for (const [kind, headersOf] of [
        ['credential', byCredential],
        ['token', byToken],
      ] as const) {
        const storm = await measureStorm(door, devices, headersOf, probe)
        storms[kind].push(storm)
        progress(`storm by ${kind}: ${Math.round(storm.connectsPerSecond)} a second`)
      }

    using follower = followPresence(gateway.url, { token, spaceId })
    const stompUrl = `${door.url.replace('http', 'ws')}/stomp/websocket`
    const visit = (of: SiteDevice) => visitOnce(stompUrl, follower, of.deviceId, byCredential(of))
    // A subscription says nothing when it begins: the first visits may come before it has.
    for (const of of devices.slice(0, WARM_VISITS)) await visit(of).catch(() => {})
    const visits: Visit[] = []
    for (let i = 0; i < plan.visits; i++) {
      const of = devices[i % devices.length]
      if (of !== undefined) visits.push(await visit(of))
    }
    progress(`${plan.silent} devices fall silent for ${SILENCE_MS / 1_000} s`)
    const silences = await Promise.all(
      devices.slice(0, plan.silent).map(async of => {
        const offline = follower.next(of.deviceId, false, SILENCE_MS + VISIT_DEADLINE_MS)
        const socket = await connectDevice(stompUrl, byCredential(of), `${HEART_BEAT_MS},0`)
        return (await offline) - socket.connectedFrom - SILENCE_MS
      }),
    )
    const use = endWatch()

    const median = (kind: 'credential' | 'token', of: (storm: Storm) => number) =>
      summarise(storms[kind].slice(1).map(of)).median
    const check = (name: string, value: number, unit: string, limit: number | null = null) =>
      createCheck({ name: `presence.${name}`, value, unit, limit, better: 'lower' })
    const all = [...storms.credential, ...storms.token]
    return {
      checks: [
        ...(['credential', 'token'] as const).flatMap(kind => [
          createCheck({
            name: `presence.connects_per_s_${kind}`,
            value: median(kind, storm => storm.connectsPerSecond),
            unit: '1/s',
            limit: null,
            better: 'higher',
          }),
          check(
            `cpu_ms_per_connect_${kind}`,
            median(kind, storm => storm.cpuMsPerConnect),
            'ms',
          ),
          check(
            `connect_p95_ms_${kind}`,
            median(kind, storm => storm.connectP95Ms),
            'ms',
          ),
        ]),
        check('accept_p95_ms_in_storm', summarise(all.map(storm => storm.probeP95Ms)).median, 'ms', 1_000),
        check('door_peak_rss_mib', Math.max(...all.map(storm => storm.peakRssMib)), 'MiB'),
        check(
          'online_to_subscriber_p95_ms',
          quantile(
            visits.map(({ onlineMs }) => onlineMs),
            0.95,
          ),
          'ms',
          100,
        ),
        check(
          'offline_to_subscriber_p95_ms',
          quantile(
            visits.map(({ offlineMs }) => offlineMs),
            0.95,
          ),
          'ms',
        ),
        check('silence_seen_late_p95_ms', quantile(silences, 0.95), 'ms', 1_000),
      ],
      reasons: judgeMachine(use),
      details: { machine: describeMachine(), machineUse: use, plan, storms, visits, silences },
    }
  },
}

interface Visit {
  /** From sending CONNECT, from dropping the connection, to the message at the follower. */
  readonly onlineMs: number
  readonly offlineMs: number
}

async function visitOnce(
  url: string,
  follower: PresenceFollower,
  deviceId: string,
  headers: Record<string, string>,
): Promise<Visit> {
  const online = follower.next(deviceId, true, VISIT_DEADLINE_MS)
  const socket = await connectDevice(url, headers)
  const onlineAt = await online.catch(error => {
    socket.terminate()
    throw error
  })
  const offline = follower.next(deviceId, false, VISIT_DEADLINE_MS)
  const droppedAt = performance.now()
  socket.terminate()
  return { onlineMs: onlineAt - socket.connectedFrom, offlineMs: (await offline) - droppedAt }
}
