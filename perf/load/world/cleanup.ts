import { ApiError, mutate, signIn } from '../site-api.ts'
import type { WorldFile } from './world-state.ts'

/**
 * Takes a world away by the public API: its space with all devices and data, and the sessions of its people. What a site
 * does not let go of stays: accounts, and for 7 days the space, which its owner could restore. Forgets the world then.
 */
export async function cleanUpWorld({
  url,
  world,
  progress,
}: {
  url: string
  world: WorldFile
  progress: (message: string) => void
}): Promise<void> {
  const { people, spaceId } = world.state
  const owner = people.find(({ isVerified }) => isVerified)
  if (owner !== undefined && spaceId !== null) {
    const { accessToken } = await signIn(url, owner)
    progress(`deleting the space ${spaceId}`)
    try {
      await mutate(url, accessToken, 'deleteSpace', { spaceId }, 'space { id }')
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error
    }
  }
  for (const person of people.filter(({ isVerified }) => isVerified)) {
    const { accessToken } = await signIn(url, person)
    await mutate(url, accessToken, 'signOut', { everywhere: true }, 'signedOut')
  }
  world.remove()
}
