import type { PortLeases } from './port-leases.ts'

/** The ports of one stream; they stay its own while its transport comes and goes. */
export class RtpStreamPorts {
  readonly rtp: number
  /** Null with rtcp-mux. */
  readonly rtcp: number | null
  readonly #leases: PortLeases

  /** Throws UNAVAILABLE when there are no ports left; none is taken then. */
  constructor(leases: PortLeases, rtcpMux: boolean) {
    this.#leases = leases
    this.rtp = leases.take()
    try {
      this.rtcp = rtcpMux ? null : leases.take()
    } catch (error) {
      leases.release(this.rtp)
      throw error
    }
  }

  /** Gives the ports back; again is the same. */
  release(): void {
    this.#leases.release(this.rtp)
    if (this.rtcp !== null) this.#leases.release(this.rtcp)
  }
}
