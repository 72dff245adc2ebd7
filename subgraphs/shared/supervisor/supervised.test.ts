import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSupervised, type SupervisorChannel } from './supervised.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function openChannel(connected: boolean) {
  const channel = Object.assign(new EventEmitter(), { connected, send: () => true })
  const reasons: string[] = []
  openSupervised(channel as unknown as SupervisorChannel)?.onStop(why => reasons.push(why))
  return { channel, reasons }
}

it('stops when the supervisor says so', () => {
  const { channel, reasons } = openChannel(true)
  channel.emit('message', { type: 'stop' })
  expect(reasons).toEqual(['the supervisor says so'])
})

it('stops when the supervisor is gone, told or not', async () => {
  expect(openChannel(false).reasons).toEqual(['the supervisor is gone'])
  const told = openChannel(true)
  told.channel.connected = false
  told.channel.emit('disconnect')
  const untold = openChannel(true)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(untold.reasons).toEqual([])
  untold.channel.connected = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(untold.reasons).toEqual(['the supervisor is gone'])
  await vi.advanceTimersByTimeAsync(5_000)
  for (const { reasons } of [told, untold]) expect(reasons).toEqual(['the supervisor is gone'])
})
