import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Ingest, RtpIngest } from '../../subgraphs/shared/media-port.ts'

const FFMPEG = '/usr/bin/ffmpeg'

/** Whether ffmpeg is there; says so, loudly, when it is not. */
export const hasFfmpeg = existsSync(FFMPEG)
if (!hasFfmpeg)
  console.warn('SKIPPED: cameras of the tests of live video are ffmpeg. `apt-get install ffmpeg` gets it.')

/** A camera made of ffmpeg. */
export interface Camera {
  /** Ends it without a farewell, as a power cut does. */
  kill(): Promise<void>
}

/** What a test may let a camera do wrong. */
export interface CameraFaults {
  readonly ssrc?: number
  readonly payloadType?: number
  /** Of H264: `high`, `main`. */
  readonly profile?: string
  readonly srtpKey?: string
}

/** Starts a camera that sends what was agreed: moving bars, a key frame each second, and a tone. */
export function startCamera(ingest: Ingest, faults: CameraFaults = {}): Camera {
  if (ingest.kind !== 'RTP') throw new TypeError(`A camera sends RTP, not ${ingest.kind}`)
  const { video, audio } = ingest
  const args = ['-hide_banner', '-loglevel', 'error', '-re']
  if (video !== null) args.push('-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=15')
  if (audio !== null) args.push('-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000')
  if (video !== null) {
    args.push('-map', '0:v', ...encoderOf(video, faults), '-g', '15', '-b:v', '300k')
    args.push(...outputOf(video, faults))
  }
  if (audio !== null) {
    args.push('-map', video === null ? '0:a' : '1:a', '-c:a', 'libopus', '-ac', '2', '-b:a', '32k')
    args.push(...outputOf(audio, {}))
  }
  const child = spawn(FFMPEG, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return { kill: () => killProcess(child) }
}

/** Kills a process that a test has started and waits for its end. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

function encoderOf({ codec }: RtpIngest, { profile = 'baseline' }: CameraFaults): string[] {
  if (codec === 'VP8')
    return ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-pix_fmt', 'yuv420p']
  return [
    '-c:v',
    'libx264',
    '-preset',
    // What the fastest one leaves out is what the other profiles have.
    profile === 'baseline' ? 'ultrafast' : 'veryfast',
    '-tune',
    'zerolatency',
    '-profile:v',
    profile,
    '-pix_fmt',
    'yuv420p',
  ]
}

function outputOf(stream: RtpIngest, faults: CameraFaults): string[] {
  const { ip, port, rtcpPort, payloadType, ssrc, srtp } = stream
  // ffmpeg reads the SSRC as a signed number.
  const output = [
    '-ssrc',
    String((faults.ssrc ?? ssrc) | 0),
    '-payload_type',
    String(faults.payloadType ?? payloadType),
  ]
  const address = `${ip}:${port}?rtcpport=${rtcpPort ?? port}&pkt_size=1200`
  if (srtp === null) return ['-f', 'rtp', ...output, `rtp://${address}`]
  const key = faults.srtpKey ?? srtp.key
  const secret = ['-srtp_out_suite', srtp.cryptoSuite, '-srtp_out_params', key]
  return ['-f', 'rtp', ...secret, ...output, `srtp://${address}`]
}
