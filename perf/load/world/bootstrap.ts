import { randomBytes } from 'node:crypto'
import { ApiError, ask, mutate, signIn } from '../site-api.ts'
import type { Workload } from '../workload.ts'
import { openMailbox } from './mailbox.ts'
import type { Person, WorldFile } from './world-state.ts'

/** People of a world, at most; more viewers than that share their accounts, a session and a socket each. */
export const MAX_PEOPLE = 50

/** Devices in one call of registerDevices. */
const MAX_BULK = 500

export interface BootstrapOptions {
  readonly url: string
  readonly world: WorldFile
  readonly workload: Pick<Workload, 'devices' | 'viewers' | 'lines' | 'processes'>
  /** Folder where the product writes its mails; null: only people who are there already can be used. */
  readonly mailDir: string | null
  readonly progress: (message: string) => void
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

async function addPeople({
  url,
  world,
  mailDir,
  progress,
  count,
}: Omit<BootstrapOptions, 'workload'> & { count: number }) {
  const { state } = world
  // Whom an abort left between sign-up and proof signs up again under another address: a second sign-up is suspicious.
  state.people = state.people.filter(({ isVerified }) => isVerified)
  const missing = count - state.people.length
  if (missing > 0) progress(`signing up ${missing} people`)
  while (state.people.length < count) {
    const name = `${state.people.length === 0 ? 'owner' : 'viewer'}-${randomBytes(4).toString('hex')}`
    state.people.push({
      email: `perf-${state.tag}-${name}@example.com`,
      password: randomBytes(18).toString('base64url'),
      isVerified: false,
      isMember: state.people.length === 0,
    })
  }
  world.save()
  const unproven = state.people.filter(({ isVerified }) => !isVerified)
  if (unproven.length === 0) return
  if (mailDir === null)
    throw new Error('People prove their address by mail: say with --data where the product runs.')
  const mailbox = await openMailbox(mailDir)
  for (const person of unproven) {
    await proveByMail(url, person, email => mailbox.take(email, /^\s*(\d{6})\s*$/m))
    world.save()
  }
}

async function proveByMail(
  url: string,
  person: Person,
  takeCode: (email: string) => Promise<string>,
): Promise<void> {
  const { email, password } = person
  const name = email.split('@', 1)[0] ?? ''
  await mutate(url, null, 'signUp', { email, password, name, locale: 'EN' }, 'accepted')
  const code = await takeCode(email)
  await mutate(url, null, 'verifyEmail', { email, code }, 'user { id }')
  person.isVerified = true
}

async function hasSpace(url: string, token: string, id: string): Promise<boolean> {
  const data = await ask<{ space: object | null }>(url, token, 'query ($id: ID!) { space(id: $id) { id } }', {
    id,
  })
  return data.space !== null
}

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

async function addMembers({
  url,
  token,
  world,
  spaceId,
  mailDir,
  progress,
}: Made & Pick<BootstrapOptions, 'mailDir' | 'progress'>) {
  const outside = world.state.people.filter(({ isMember }) => !isMember)
  if (outside.length === 0) return
  if (mailDir === null) throw new Error('People are invited by mail: say with --data where the product runs.')
  progress(`inviting ${outside.length} people`)
  const mailbox = await openMailbox(mailDir)
  for (const person of outside) {
    try {
      await mutate(
        url,
        token,
        'inviteMember',
        { spaceId, email: person.email, role: 'VIEWER' },
        'invitation { id }',
      )
      const invitation = await mailbox.take(person.email, /token=([\w-]{43})/)
      const { accessToken } = await signIn(url, person)
      await mutate(url, accessToken, 'acceptInvitation', { token: invitation }, 'space { id }')
    } catch (error) {
      // They are a member already, and an abort came before that was written down.
      if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
    }
    person.isMember = true
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
