import type { MediaPort } from './media-port.ts'

/** A call of media's port. */
export type MediaCall = Exclude<keyof MediaPort, 'listen'>

/** All of them, as they are named in paths between processes. */
export const MEDIA_CALLS = [
  'openBroadcast',
  'closeBroadcast',
  'findBroadcast',
  'join',
  'publish',
  'connect',
  'produce',
  'consume',
  'resumeConsumer',
  'pauseConsumer',
  'setPreferredLayers',
  'restartIce',
  'leave',
  'snapshotSession',
] as const satisfies readonly MediaCall[]

/** Where media's role answers: calls by POST under it, events at `events` by GET. */
export const MEDIA_PATH = '/media/'

/** How often something is written to a stream of events, so that a lost one shows. */
export const MEDIA_BEAT_MS = 5_000
