import { existsSync } from 'node:fs'
import { workerBin } from 'mediasoup'
import type { HttpPath } from '../subgraphs/shared/http/http-handoff.ts'
import type { MediaPort } from '../subgraphs/shared/media-port.ts'
import type { Site } from '../subgraphs/shared/site.ts'
import { createMedia } from './create-media.ts'
import { createMediaHttp } from './media-http.ts'
import { createMediaOff } from './media-off.ts'

/** Media of a process, and whether it can serve now. */
export interface MediaRole {
  readonly media: MediaPort
  /** By which other processes call it; null when none does. */
  readonly http: HttpPath | null
  isReady(): boolean
}

/**
 * Starts media, until the process ends; with `isAsked`, other roles of the site call it over HTTP. Without mediasoup's
 * worker on this machine it says how to get it, once, and is off: all else goes on. Throws when an address or port that is
 * configured cannot be used.
 */
export async function startMediaRole(site: Site, { isAsked }: { isAsked: boolean }): Promise<MediaRole> {
  const { logger, lifecycle, internalSecret: secret } = site
  const { media, isReady } = await openMedia(site)
  const http = isAsked ? lifecycle.own('media http', createMediaHttp({ media, secret, logger })) : null
  return { media, http, isReady }
}

async function openMedia({ config, logger, metrics, lifecycle }: Site) {
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
  return { media: lifecycle.own('media', media), isReady: media.isReady }
}
