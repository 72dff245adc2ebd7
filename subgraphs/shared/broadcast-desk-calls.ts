import { redisKeys } from '../../schema/redis-keys.ts'
import type { BroadcastDesk, BroadcastSender, BroadcastWish } from './broadcast-desk.ts'
import { type CallRoute, openRemoteCaller, serveRemoteCalls } from './redis/remote-calls.ts'
import { openRedisOf, type Site, type Stores } from './site.ts'

const route: CallRoute = {
  calls: redisKeys.broadcastDeskCalls(),
  claim: redisKeys.broadcastDeskClaim,
  replies: redisKeys.broadcastDeskReplies,
}

type Caller = Pick<Site, 'lifecycle' | 'logger'>

/** Answers the doors of other processes from this desk, until the process ends. */
export async function serveBroadcastDesk(
  site: Caller,
  { redisUrl }: Pick<Stores, 'redisUrl'>,
  desk: BroadcastDesk,
): Promise<void> {
  const redis = await openRedisOf(site, redisUrl, 'broadcast-desk')
  const serving = await serveRemoteCalls({
    ...{ url: redisUrl, redis, route, logger: site.logger },
    async handle(name, args) {
      if (name === 'stop') return desk.stop(args as BroadcastSender)
      const [sender, wish] = args as [BroadcastSender, BroadcastWish]
      return desk.start(sender, wish)
    },
  })
  site.lifecycle.own('broadcast desk', serving)
}

/** Opens the desk of whichever process has the streaming role. UNAVAILABLE when none has. */
export async function openBroadcastDesk(
  site: Caller,
  { redisUrl }: Pick<Stores, 'redisUrl'>,
): Promise<BroadcastDesk> {
  const redis = await openRedisOf(site, redisUrl, 'broadcast-desk')
  const caller = await openRemoteCaller({ url: redisUrl, redis, route, logger: site.logger })
  site.lifecycle.own('broadcast desk', caller)
  return {
    start: (sender, wish) => caller.call('start', [sender, wish]) as ReturnType<BroadcastDesk['start']>,
    stop: sender => caller.call('stop', sender) as ReturnType<BroadcastDesk['stop']>,
  }
}
