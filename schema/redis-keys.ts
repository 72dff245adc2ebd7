import type { TopicKind } from './live-event.ts'

/** The listener of the ingest log's outbox that publishes to the live topics. */
export const LIVE_LISTENER = 'live'

/**
 * Every key, stream and channel, with the instance it lives in and its life.
 * `ingest` is the instance of REDIS_INGEST_URL (every append on disk), `live` that of REDIS_URL (can be rebuilt).
 */
export const redisKeys = {
  /** ingest, stream, trimmed behind the writer and the listeners: one shard of the ingest log. */
  ingestLog: (shard: number) => `nuvion:ingest:${shard}`,
  /** ingest, stream, capped at about 100,000 entries: items that can never be written. */
  deadLetters: () => 'nuvion:dead-letters',
  /** ingest, string, for ever: up to where a listener has been told of the shard's committed items. */
  outboxPosition: (listener: string, shard: number) =>
    listener === LIVE_LISTENER ? `nuvion:published:${shard}` : `nuvion:published:${listener}:${shard}`,
  /** ingest: what BullMQ's keys begin with; it has a queue of alerts, whose jobs are removed an hour after they are done. */
  jobPrefix: () => 'nuvion:jobs',
  /** live, stream, capped at LIVE_TOPIC_MAX_ENTRIES: what is new of one kind in one space, or in SITE_SCOPE. */
  liveTopic: (kind: TopicKind, scope: string) => `nuvion:live:${kind}:${scope}`,
  /** live, string `<epochMs>|<json>`, for ever: the newest state of a device. */
  deviceState: (deviceId: string) => `nuvion:state:${deviceId}`,
  /** live, string `<epochMs>|<json>`, for ever: the newest connectivity of a device. */
  deviceConnectivity: (deviceId: string) => `nuvion:connectivity:${deviceId}`,
  /** live, string `<generation>|<1 online, 0 offline>|<lastSeenEpochMs>|<doorId>|<spaceId>`, for ever: presence of a device. */
  devicePresence: (deviceId: string) => `nuvion:presence:${deviceId}`,
  /** live, sorted set, device id by epoch ms of its deadline: devices online, taken out by the sweep. */
  presenceDeadlines: () => 'nuvion:presence-deadlines',
  /** live, hash, device id → its transitions, one a line, oldest first: on their way to the ingest log. */
  presencePending: () => 'nuvion:presence-pending',
  /** live, string, for ever: made once; another one tells the doors that Redis has lost what it knew of presence. */
  presenceEpoch: () => 'nuvion:presence-epoch',
  /** live, sorted set by member, TTL FEED_IDLE_MS from the last look: the newest of what a person watches; see feed-sets-lua.ts. */
  feedOfUser: (userId: string) => `nuvion:feed:user:${userId}`,
  /** live, the same of a target that many watch. */
  feedOfTarget: (targetId: string) => `nuvion:feed:target:${targetId}`,
  /** live, set, for ever: ids of targets whose news go to the set of the target, not to those of its watchers. */
  wideFeedTargets: () => 'nuvion:feed:wide',
  /** live, string, for ever: another one whenever what a process knows of watches may be old. */
  watchVersion: () => 'nuvion:feed:watch-version',
  /** live, channel: messages for devices whose session a door holds. */
  doorMailbox: (doorId: string) => `nuvion:door:${doorId}`,
  /** live, string of JSON, TTL 30 s, renewed: the broadcast of a device (KeptBroadcast). */
  broadcast: (deviceId: string) => `nuvion:broadcast:${deviceId}`,
  /** live, sorted set, device id by epoch ms at which its broadcast lapses, TTL as above: broadcasts of a space. */
  broadcastsOfSpace: (spaceId: string) => `nuvion:broadcasts:${spaceId}`,
  /** live, string of JSON, TTL 5 min, renewed: whose a session at media is, and at which node (BroadcastSession). */
  broadcastSession: (sessionId: string) => `nuvion:broadcast-session:${sessionId}`,
  /** live, sorted set, session id by epoch ms at which whoever keeps it is late: sessions at media. */
  broadcastSessionDeadlines: () => 'nuvion:broadcast-session-deadlines',
  /** live, string, TTL 5 min, renewed: the newest session of a player, known by a digest of who watches what by which sign-in. */
  broadcastSeat: (digest: string) => `nuvion:broadcast-seat:${digest}`,
  /** live, string, TTL 30 s, renewed: somebody follows the signaling of a session. */
  signalingFollowed: (sessionId: string) => `nuvion:signaling-followed:${sessionId}`,
  /** live, string, TTL 15 s, renewed: the process that tells of broadcasts. */
  broadcastKeeper: () => 'nuvion:broadcast-keeper',
  /** live, channel, with a colon and the database's number behind it: what devices ask streaming by way of their doors. */
  broadcastDeskCalls: () => 'nuvion:broadcast-desk',
  /** live, string, TTL 60 s: one of the streaming roles has taken a call. */
  broadcastDeskClaim: (callId: string) => `nuvion:broadcast-desk:${callId}`,
  /** live, channel: answers to the calls of one process. */
  broadcastDeskReplies: (callerId: string) => `nuvion:broadcast-desk-replies:${callerId}`,
  /** live, counter, TTL of the gateway's window for points (2 s): points that a caller has taken at all gateways. */
  callerPoints: (caller: string) => `nuvion:points:${caller}`,
  /** live, counter, TTL of the gateway's window for the mutation (1 h at most): attempts from an IP address. */
  attemptsOfIp: (mutation: string, ip: string) => `nuvion:attempts:${mutation}:ip:${ip}`,
  /** live, counter, TTL as above: attempts at an account, known by a digest of its address or of its user's id. */
  attemptsAtAccount: (mutation: string, digest: string) => `nuvion:attempts:${mutation}:account:${digest}`,
  /** live, counter, TTL as above: attempts from an IP address at an account. */
  attemptsOfIpAtAccount: (mutation: string, ip: string, digest: string) =>
    `nuvion:attempts:${mutation}:ip:${ip}:${digest}`,
} as const

/** Entries that a live topic keeps; an entry holds up to 100 events. */
export const LIVE_TOPIC_MAX_ENTRIES = 2_000

/** How long a feed is kept that nobody looks at. */
export const FEED_IDLE_MS = 7 * 24 * 60 * 60_000
