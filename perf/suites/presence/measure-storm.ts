import { readFileSync } from 'node:fs'
import type { SiteDevice } from '../../peers/presence/site.ts'
import { readCpuMs } from '../../runner/cpu-time.ts'
import type { Program } from '../../runner/program.ts'
import { quantile } from '../../runner/statistics.ts'
import { connectDevice, type DeviceSocket } from './device-socket.ts'

/** What a storm was. */
export interface Storm {
  readonly devices: number
  /** From the first attempt to the last CONNECTED. */
  readonly totalMs: number
  readonly connectsPerSecond: number
  /** CPU of the door's process, all threads. */
  readonly cpuMsPerConnect: number
  readonly connectP95Ms: number
  /** How often devices were told to come again. */
  readonly refusals: number
  /** Of a new TCP connection with an HTTP request, while the storm lasts. */
  readonly probeP95Ms: number
  /** Most that the door's process has held so far. */
  readonly peakRssMib: number
}

/** Lets all devices connect at once, and then lose their network. */
export async function measureStorm(
  { url, pid }: { url: string; pid: number },
  devices: readonly SiteDevice[],
  headersOf: (device: SiteDevice) => Record<string, string>,
  probe: Pick<Program<object>, 'ask'>,
): Promise<Storm> {
  const stompUrl = `${url.replace('http', 'ws')}/stomp/websocket`
  await probe.ask('start')
  const cpuBefore = readCpuMs(pid)
  const startedAt = performance.now()
  const sockets = await Promise.all(devices.map(device => connectDevice(stompUrl, headersOf(device))))
  const totalMs = performance.now() - startedAt
  const cpuMs = readCpuMs(pid) - cpuBefore
  const probeMs = (await probe.ask('end')) as number[]
  for (const socket of sockets) socket.terminate()
  return {
    devices: devices.length,
    totalMs,
    connectsPerSecond: (devices.length / totalMs) * 1_000,
    cpuMsPerConnect: cpuMs / devices.length,
    connectP95Ms: quantile(
      sockets.map(({ connectMs }: DeviceSocket) => connectMs),
      0.95,
    ),
    refusals: sockets.reduce((sum, { refusals }) => sum + refusals, 0),
    probeP95Ms: quantile(probeMs, 0.95),
    peakRssMib: readPeakRssMib(pid),
  }
}

function readPeakRssMib(pid: number): number {
  const kib = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / 1_024
}
