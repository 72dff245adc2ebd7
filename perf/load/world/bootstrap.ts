import { randomBytes } from 'node:crypto'
import { ask, mutate, signIn } from '../site-api.ts'
import type { Workload } from '../workload.ts'
import { addMembers, addPeople, type PeopleOptions } from './people.ts'
import type { WorldFile } from './world-state.ts'

/** People of a world, at most; more viewers than that share their accounts, a session and a socket each. */
export const MAX_PEOPLE = 50

/** Devices in one call of registerDevices. */
const MAX_BULK = 500

export interface BootstrapOptions extends PeopleOptions {
  readonly workload: Pick<Workload, 'devices' | 'viewers' | 'lines' | 'processes'>
}

/**
 * Makes what a workload needs and the world does not have yet, by the public API: an owner, viewers, a space, lines,
 * processes and devices. Each step is remembered as soon as it is done.
 */
export async function bootstrapWorld({
  url,
  world,
  workload,
  mailDir,
  progress,
}: BootstrapOptions): Promise<void> {
  const { state } = world
  const people = 1 + Math.min(MAX_PEOPLE, Math.max(workload.viewers, 10))
  await addPeople({ url, world, mailDir, progress, count: people })
  const [owner] = state.people
  if (owner === undefined) throw new Error('The world has no owner.')
  const { accessToken: token } = await signIn(url, owner)

  if (state.spaceId === null || !(await hasSpace(url, token, state.spaceId))) {
    const input = { name: `Perf ${state.tag}`, timezone: 'UTC' }
    const { space } = await mutate<{ space: { id: string } }>(
      url,
      token,
      'createSpace',
      input,
      'space { id }',
    )
    Object.assign(state, { spaceId: space.id, lines: [], processes: [], devices: [], prefill: null })
    for (const person of state.people.slice(1)) person.isMember = false
    world.save()
  }
  const spaceId = state.spaceId ?? ''
  await addPlaces({ url, token, world, spaceId, workload })
  await addMembers({ url, token, world, spaceId, mailDir, progress })
  await addDevices({ url, token, world, spaceId, progress, count: workload.devices })
}

async function hasSpace(url: string, token: string, id: string): Promise<boolean> {
  const data = await ask<{ space: object | null }>(url, token, 'query ($id: ID!) { space(id: $id) { id } }', {
    id,
  })
  return data.space !== null
}

/** A space of the world, and who may change it. */
interface Made {
  readonly url: string
  readonly token: string
  readonly world: WorldFile
  readonly spaceId: string
}

async function addPlaces({
  url,
  token,
  world,
  spaceId,
  workload,
}: Made & Pick<BootstrapOptions, 'workload'>) {
  const { state } = world
  while (state.lines.length < workload.lines) {
    const name = `Line ${state.lines.length + 1}`
    const { line } = await mutate<{ line: { id: string } }>(
      url,
      token,
      'createLine',
      { spaceId, name },
      'line { id }',
    )
    state.lines.push({ id: line.id, name })
    world.save()
  }
  while (state.processes.length < workload.processes) {
    const name = `Process ${state.processes.length + 1}`
    const lineId = state.lines[state.processes.length % state.lines.length]?.id
    const input = { spaceId, name, lineId }
    const { process } = await mutate<{ process: { id: string } }>(
      url,
      token,
      'createProcess',
      input,
      'process { id }',
    )
    state.processes.push({ id: process.id, name })
    world.save()
  }
}

async function addDevices({
  url,
  token,
  world,
  spaceId,
  progress,
  count,
}: Made & { progress: (message: string) => void; count: number }) {
  const { state } = world
  if (state.devices.length < count) progress(`registering ${count - state.devices.length} devices`)
  while (state.devices.length < count) {
    const first = state.devices.length
    // Credentials are shown once: whatever an abort left without them is of no use, and has a code of its own.
    const batch = randomBytes(3).toString('hex')
    const devices = Array.from({ length: Math.min(MAX_BULK, count - first) }, (_, i) => {
      const place = first + i
      return {
        code: `PERF-${batch}-${place + 1}`,
        name: `Press brake ${place + 1}`,
        model: 'Siemens S7-1215C',
        lineId: state.lines[place % state.lines.length]?.id ?? '',
        processId: state.processes[place % state.processes.length]?.id ?? '',
      }
    })
    const { registered } = await mutate<{
      registered: { device: { id: string; code: string }; credential: string }[]
    }>(
      ...([
        url,
        token,
        'registerDevices',
        { spaceId, devices },
        'registered { device { id code } credential }',
      ] as const),
    )
    for (const [i, { device, credential }] of registered.entries()) {
      const { lineId = '', processId = '' } = devices[i] ?? {}
      state.devices.push({ deviceId: device.id, code: device.code, credential, lineId, processId })
    }
    world.save()
  }
}
