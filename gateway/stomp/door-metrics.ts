import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../../subgraphs/shared/metrics.ts'

const COMMANDS = new Set(
  'CONNECT STOMP SEND SUBSCRIBE UNSUBSCRIBE ACK NACK BEGIN COMMIT ABORT DISCONNECT'.split(' '),
)

/** Label of a command: itself, or `other`, so that a client cannot make labels. */
export function commandLabel(command: string): string {
  return COMMANDS.has(command) ? command : 'other'
}

/** What the STOMP door counts. */
export type DoorMetrics = ReturnType<typeof createDoorMetrics>

/** Registers the metrics of the STOMP door. */
export function createDoorMetrics(registry: Metrics) {
  const registers = [registry]
  return {
    connections: new Gauge({
      name: 'nuvion_stomp_connections',
      help: 'Open connections to the door by transport, CONNECTed or not. Far above the connected devices: something opens connections and never says CONNECT.',
      labelNames: ['transport'],
      registers,
    }),
    devices: new Gauge({
      name: 'nuvion_stomp_connected_devices',
      help: 'Devices with a session at this door. A sudden fall is a network or a door lost; rising above the registered devices is impossible.',
      registers,
    }),
    frames: new Counter({
      name: 'nuvion_stomp_frames_total',
      help: 'Frames received by command. SEND is the load; many CONNECT beside few devices are devices that lose their session and come back.',
      labelNames: ['command'],
      registers,
    }),
    items: new Counter({
      name: 'nuvion_stomp_items_total',
      help: 'Items accepted from devices by destination. Rising is the load; one destination rising alone is a device that repeats itself.',
      labelNames: ['destination'],
      registers,
    }),
    receipts: new Counter({
      name: 'nuvion_stomp_receipts_total',
      help: 'RECEIPTs sent. Falling behind the frames that ask for one: the ingest log is slow to acknowledge.',
      registers,
    }),
    rejectedItems: new Counter({
      name: 'nuvion_stomp_rejected_items_total',
      help: 'Items refused by reason, a body that is refused whole counting one. Rising: a device was given software that does not keep the contract.',
      labelNames: ['reason'],
      registers,
    }),
    calls: new Counter({
      name: 'nuvion_stomp_calls_total',
      help: 'Questions of devices by destination and outcome. Failed ones rising: what answers them, or its storage, cannot be reached; refused ones: a device keeps asking for what it may not have.',
      labelNames: ['destination', 'outcome'],
      registers,
    }),
    clocksReplaced: new Counter({
      name: 'nuvion_stomp_clocks_replaced_total',
      help: 'Accepted items whose id or time was not believed and replaced. Rising: clocks of devices are wrong.',
      registers,
    }),
    undelivered: new Counter({
      name: 'nuvion_stomp_undelivered_messages_total',
      help: 'Messages to a queue that the device had not subscribed to. Rising for /user/queue/errors: devices do not learn what they do wrong.',
      labelNames: ['queue'],
      registers,
    }),
    unreceipted: new Gauge({
      name: 'nuvion_stomp_unreceipted_frames',
      help: 'Frames taken and not durable yet. Rising: the ingest log acknowledges slower than devices send.',
      registers,
    }),
    inFlightBytes: new Gauge({
      name: 'nuvion_stomp_in_flight_bytes',
      help: 'Bytes of bodies taken and not durable yet. Rising: the ingest log acknowledges slower than devices send; at its bound the door stops reading.',
      registers,
    }),
    inFlightItems: new Gauge({
      name: 'nuvion_stomp_in_flight_items',
      help: 'Items taken and not durable yet. Rising: as the bytes in flight, with small messages; at its bound the door stops reading.',
      registers,
    }),
    paused: new Gauge({
      name: 'nuvion_stomp_paused',
      help: '1 while the door does not read its sockets because the ingest log is near its bound or too much is in flight. Staying at 1: ingest does not keep up, or MySQL or the ingest Redis is down.',
      registers,
    }),
    sessionErrors: new Counter({
      name: 'nuvion_stomp_session_errors_total',
      help: 'Sessions ended with ERROR by code. UNAUTHENTICATED rising: wrong credentials or someone guessing; UNAVAILABLE: Redis or the database does not answer; CONFLICT: one identity is used by two devices.',
      labelNames: ['code'],
      registers,
    }),
    connecting: new Gauge({
      name: 'nuvion_stomp_connecting',
      help: 'CONNECTs that are being checked. Staying at its bound: the database or Redis answers slower than devices come.',
      registers,
    }),
    waitingConnects: new Gauge({
      name: 'nuvion_stomp_waiting_connects',
      help: 'CONNECTs that wait for others. Rising: a fleet comes back at once; at its bound devices are sent away.',
      registers,
    }),
    refusedConnects: new Counter({
      name: 'nuvion_stomp_refused_connects_total',
      help: 'CONNECTs sent away with a hint when to come again, because too many waited. Rising: this door has more devices than it can let in.',
      registers,
    }),
    revoked: new Counter({
      name: 'nuvion_stomp_revoked_sessions_total',
      help: 'Sessions ended because the device was removed, its credential revoked or its space deleted.',
      registers,
    }),
    slowReaders: new Counter({
      name: 'nuvion_stomp_slow_readers_total',
      help: 'Connections dropped because the device did not read what was sent to it. Rising: devices hang, or their network does.',
      registers,
    }),
  }
}
