import { createSocket } from 'node:dgram'
import type { Ingest } from '../../subgraphs/shared/media-port.ts'
import type { Camera, CameraFaults } from './ffmpeg-camera.ts'

/** H264's sequence parameter set of the high profile. */
const HIGH_SPS = Buffer.from('6764001facd9405005bb011000000300100000030320f1831960', 'hex')

/** The same, named as constrained baseline. */
const BASELINE_SPS = Buffer.from(HIGH_SPS).fill('42e01f', 1, 4, 'hex')

export interface RawCamera extends Camera {
  /** Goes on with another profile, on the same stream. It is `high` at first. */
  setProfile(profile: 'high' | 'baseline'): void
}

/** Sends RTP at once, without a picture in it: for what is wrong with its headers, its key or its profile. */
export function startRawCamera(ingest: Ingest, faults: CameraFaults = {}): RawCamera {
  if (ingest.kind !== 'RTP' || ingest.video === null) throw new TypeError('A raw camera sends video by RTP')
  const { ip, port, ssrc, payloadType } = ingest.video
  const socket = createSocket('udp4')
  let sequence = 0
  let sps = HIGH_SPS
  const timer = setInterval(() => {
    const header = Buffer.alloc(12)
    header.writeUInt8(0x80, 0)
    header.writeUInt8(faults.payloadType ?? payloadType, 1)
    header.writeUInt16BE(++sequence % 65_536, 2)
    header.writeUInt32BE(sequence * 1_800, 4)
    header.writeUInt32BE(faults.ssrc ?? ssrc, 8)
    socket.send(Buffer.concat([header, sps, Buffer.alloc(200, 1)]), port, ip)
  }, 20)
  return {
    setProfile(profile) {
      sps = profile === 'high' ? HIGH_SPS : BASELINE_SPS
    },
    async kill() {
      clearInterval(timer)
      await new Promise<void>(resolve => socket.close(() => resolve()))
    },
  }
}
