import { isIPv6 } from 'node:net'
import { createWorker, type types } from 'mediasoup'
import type { Logger } from '../subgraphs/shared/logger.ts'
import { askWorker } from './ask-worker.ts'
import type { MediaAddress } from './media-address.ts'
import type { MediaLimits } from './media-limits.ts'
import { withoutSignalHandlers } from './signal-handlers.ts'

/** A process of mediasoup's with the one port, UDP and TCP, over which all its WebRTC goes. */
export class MediaWorker {
  readonly port: number
  readonly #worker: types.Worker
  readonly #server: types.WebRtcServer
  readonly #deadlineMs: number
  /** Sessions that it serves, counted by the rooms' branches. */
  sessions = 0
  /** Rooms whose sources it takes. */
  rooms = 0

  private constructor(worker: types.Worker, server: types.WebRtcServer, port: number, deadlineMs: number) {
    this.#worker = worker
    this.#server = server
    this.port = port
    this.#deadlineMs = deadlineMs
  }

  /** Starts the process and binds its port on all `addresses`. Rejects with UNAVAILABLE; the cause says why. */
  static async start({
    addresses,
    port,
    limits,
    logger,
  }: {
    addresses: readonly MediaAddress[]
    port: number
    limits: Pick<MediaLimits, 'workerDeadlineMs'>
    logger: Logger
  }): Promise<MediaWorker> {
    const { workerDeadlineMs } = limits
    const worker = await askWorker('Starting a media worker', 10_000, () =>
      withoutSignalHandlers(() => createWorker({ logLevel: 'error' })),
    )
    try {
      const listenInfos = addresses.flatMap(({ ip, announced }) =>
        (['udp', 'tcp'] as const).map(protocol => ({
          protocol,
          ip,
          announcedAddress: announced,
          port,
          // So that `::` and `0.0.0.0` can share the port.
          ...(isIPv6(ip) ? { flags: { ipv6Only: true } } : {}),
        })),
      )
      const server = await askWorker(`Binding media port ${port}`, workerDeadlineMs, () =>
        worker.createWebRtcServer({ listenInfos }),
      )
      logger.info({ pid: worker.pid, port }, 'media.worker_started')
      return new MediaWorker(worker, server, port, workerDeadlineMs)
    } catch (error) {
      worker.close()
      throw error
    }
  }

  get pid(): number {
    return this.#worker.pid
  }

  get isClosed(): boolean {
    return this.#worker.closed
  }

  get webRtcServer(): types.WebRtcServer {
    return this.#server
  }

  async createRouter(mediaCodecs: types.RouterRtpCodecCapability[]): Promise<types.Router> {
    return await askWorker('Creating a router', this.#deadlineMs, () =>
      this.#worker.createRouter({ mediaCodecs }),
    )
  }

  /** Transports that are there, as the process itself counts them: for tests and metrics. */
  async countTransports(): Promise<number> {
    const dump = await askWorker('Counting transports', this.#deadlineMs, () => this.#server.dump())
    return dump.webRtcTransportIds.length
  }

  async countRouters(): Promise<number> {
    const dump = await askWorker('Counting routers', this.#deadlineMs, () => this.#worker.dump())
    return dump.routerIds.length
  }

  /** CPU of the process so far, in milliseconds. */
  async readCpuMs(): Promise<number> {
    const usage = await askWorker('Reading usage', this.#deadlineMs, () => this.#worker.getResourceUsage())
    return usage.ru_utime + usage.ru_stime
  }

  /**
   * Tells once when the process ends without having been closed. `wasTold` when it ended at a signal to do so, which a
   * terminal sends to all at Ctrl-C.
   */
  onDied(listener: (wasTold: boolean) => void): void {
    this.#worker.once('died', error => listener(/code:0\b/.test(error.message)))
  }

  /** Ends the process and waits until it has; again is the same. */
  async close(): Promise<void> {
    if (this.#worker.subprocessClosed) return
    const ended = new Promise<void>(resolve => this.#worker.once('subprocessclose', resolve))
    this.#worker.close()
    await askWorker('Ending a media worker', this.#deadlineMs, () => ended).catch(() => {
      process.kill(this.pid, 'SIGKILL')
    })
  }
}
