import { existsSync } from 'node:fs'
import { workerBin } from 'mediasoup'
import type { MediaPort } from '../subgraphs/shared/media-port.ts'
import type { Site } from '../subgraphs/shared/site.ts'
import { createMedia } from './create-media.ts'
import { createMediaOff } from './media-off.ts'

/** Media of a process, and whether it can serve now. */
export interface MediaRole {
  readonly media: MediaPort
  isReady(): boolean
}

/**
 * Starts media, until the process ends. Without mediasoup's worker on this machine it says how to get it, once, and is
 * off: all else goes on. Throws when an address or port that is configured cannot be used.
 */
export async function startMediaRole({ config, logger, metrics, lifecycle }: Site): Promise<MediaRole> {
  if (!existsSync(workerBin)) {
    const text = "Live video is off: mediasoup's worker is not here. `npm run setup -- media` gets it."
    console.error(text)
    logger.warn({ text }, 'media.off')
    return { media: createMediaOff(text), isReady: () => false }
  }
  const { workers, listen, announced, ports, turn } = config.media
  const media = await createMedia({
    ...(workers === null ? {} : { workerCount: workers }),
    listen,
    announced,
    ports,
    turn,
    logger,
    metrics,
  })
  lifecycle.own('media', media)
  return { media, isReady: media.isReady }
}
