import { randomBytes } from 'node:crypto'
import { ApiError, mutate, signIn } from '../site-api.ts'
import { openMailbox } from './mailbox.ts'
import type { Person, WorldFile } from './world-state.ts'

/** Where people are added. */
export interface PeopleOptions {
  readonly url: string
  readonly world: WorldFile
  /** Folder where the product writes its mails; null: only people who are there already can be used. */
  readonly mailDir: string | null
  readonly progress: (message: string) => void
}

/** Signs people up until the world has so many, the first of them its owner, and proves their addresses. */
export async function addPeople({
  url,
  world,
  mailDir,
  progress,
  count,
}: PeopleOptions & { count: number }): Promise<void> {
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

/** Invites everybody into the space as a VIEWER, by its owner's token, and lets them accept. */
export async function addMembers({
  url,
  token,
  world,
  spaceId,
  mailDir,
  progress,
}: PeopleOptions & { token: string; spaceId: string }): Promise<void> {
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
