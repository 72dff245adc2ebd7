import { ProtocolError, type StompVersion } from './frame.ts'

/** What the door can do and wants; milliseconds. */
export interface HeartBeatLimits {
  /** The shortest interval at which the door can send. Default 1 s. */
  readonly sendMs: number
  /** The interval at which the door would like to hear from a device. Default 10 s. */
  readonly receiveMs: number
  /** Without heart-beats, the silence after which a device is gone. Default 60 s. */
  readonly silenceMs: number
}

/** Heart-beats unless configured otherwise. */
export const DEFAULT_HEART_BEAT_LIMITS: HeartBeatLimits = {
  sendMs: 1_000,
  receiveMs: 10_000,
  silenceMs: 60_000,
}

/** What was agreed on. */
export interface HeartBeat {
  /** Header of CONNECTED; undefined in 1.0, which has no heart-beats. */
  readonly header: string | undefined
  /** The door sends something at least this often, in ms; 0 = it need not. */
  readonly sendMs: number
  /** A device that is silent for this long is gone, in ms: twice its interval, as clients allow the door too. */
  readonly silenceMs: number
}

/** Agrees on heart-beats (STOMP 1.2, "Heart-beating"). Throws ProtocolError when the header is not `<cx>,<cy>`. */
export function negotiateHeartBeat(
  header: string | undefined,
  version: StompVersion,
  limits: HeartBeatLimits,
): HeartBeat {
  if (version === '1.0') return { header: undefined, sendMs: 0, silenceMs: limits.silenceMs }
  const match = /^\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/.exec(header ?? '0,0')
  if (match === null) throw new ProtocolError('heart-beat must be two numbers of milliseconds: <cx>,<cy>.')
  const canSendMs = Number(match[1])
  const wantsMs = Number(match[2])
  return {
    header: `${limits.sendMs},${limits.receiveMs}`,
    sendMs: wantsMs === 0 ? 0 : Math.max(wantsMs, limits.sendMs),
    silenceMs: canSendMs === 0 ? limits.silenceMs : 2 * Math.max(canSendMs, limits.receiveMs),
  }
}
