import { existsSync } from 'node:fs'
import { workerBin } from 'mediasoup'
import { createLogger } from '../../subgraphs/shared/logger.ts'
import type { MediaEvent } from '../../subgraphs/shared/media-port.ts'
import { createMetrics } from '../../subgraphs/shared/metrics.ts'
import { createMedia, type Media, type MediaOptions } from '../create-media.ts'

/** Whether mediasoup's worker is there; says once, loudly, when it is not and its tests are skipped. */
export const hasMediaWorker = existsSync(workerBin)
if (!hasMediaWorker) {
  console.warn(
    "SKIPPED: the tests of live video need mediasoup's worker, and it is not there. `npm run setup -- media` gets it.",
  )
}

/** Media on loopback with all that it tells. */
export interface TestMedia {
  readonly media: Media
  readonly events: MediaEvent[]
  readonly metrics: ReturnType<typeof createMetrics>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts media for a test, on loopback and a free block of ports, with one worker unless said otherwise. */
export async function startTestMedia(options: Partial<MediaOptions> = {}): Promise<TestMedia> {
  const metrics = createMetrics({ group: 'test', withDefaults: false })
  const media = await createMedia({
    workerCount: 1,
    listen: ['127.0.0.1'],
    announced: [],
    ports: null,
    turn: null,
    logger: createLogger({ level: process.env.LOG_LEVEL ?? 'silent', role: 'test' }),
    metrics,
    ...options,
  })
  const events: MediaEvent[] = []
  media.listen(event => events.push(event))
  return { media, events, metrics, [Symbol.asyncDispose]: () => media[Symbol.asyncDispose]() }
}
