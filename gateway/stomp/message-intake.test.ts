import { describe, expect, it } from 'vitest'
import type { DeviceDestination } from '../../schema/device-message.ts'
import { newIdAt, timeOfId } from '../../subgraphs/shared/uuid-v7.ts'
import { takeMessage } from './message-intake.ts'
import { createRisingIds } from './rising-ids.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000
const day = 24 * 60 * minute
const device = { deviceId: newIdAt(now), spaceId: newIdAt(now), expiresAt: null }
const ids = createRisingIds()
const context = { device, now, ids, retentionMs: 90 * day }
const log = { level: 'INFO', message: 'hello' }

const take = (destination: DeviceDestination, body: unknown) =>
  takeMessage(destination, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), context)

function takeLog(fields: object) {
  const [item] = take('/app/log', { ...log, ...fields }).items
  if (item?.kind !== 'log') throw new TypeError(`Expected a log, got ${JSON.stringify(item)}`)
  return { id: item.id, time: timeOfId(item.id), clockReplaced: item.clockReplaced }
}

const iso = (time: number) => new Date(time).toISOString()

describe('the id of a log', () => {
  it("is the device's own when its time is believed, whatever occurredAt says", () => {
    for (const time of [now, now + 5 * minute, now - 90 * day]) {
      const id = newIdAt(time)
      expect(takeLog({ id, occurredAt: iso(now - day) })).toEqual({ id, time, clockReplaced: false })
    }
  })

  it('is lower case, so that the same id written in capitals is the same', () => {
    const id = newIdAt(now)
    expect(takeLog({ id: id.toUpperCase() })).toMatchObject({ id, clockReplaced: false })
  })

  it.each([
    ['more than 5 minutes ahead', newIdAt(now + 5 * minute + 1)],
    ['older than the retention', newIdAt(now - 90 * day - 1)],
    ['a UUIDv4', '9f0b8c5e-7d33-4f61-8a3e-1f2e3d4c5b6a'],
    ['no UUID', 'event-1'],
  ])('is made anew and marked when it is %s', (_, id) => {
    expect(takeLog({ id })).toMatchObject({ time: now, clockReplaced: true })
    expect(takeLog({ id, occurredAt: iso(now - day) })).toMatchObject({
      time: now - day,
      clockReplaced: true,
    })
  })

  it('is made of occurredAt when that is believed, else of now', () => {
    expect(takeLog({})).toMatchObject({ time: now, clockReplaced: false })
    expect(takeLog({ occurredAt: '2026-02-01T10:00:00+09:00' })).toMatchObject({
      time: Date.parse('2026-02-01T01:00:00Z'),
      clockReplaced: false,
    })
    expect(takeLog({ occurredAt: iso(now + 6 * minute) })).toMatchObject({ time: now, clockReplaced: true })
    expect(takeLog({ occurredAt: iso(now - 91 * day) })).toMatchObject({ time: now, clockReplaced: true })
  })

  it('made here rises in the order of the items', () => {
    const { items } = take('/app/log', Array(500).fill(log))
    const made = items.map(item => (item.kind === 'log' ? item.id : ''))
    expect(made).toEqual([...made].sort())
    expect(new Set(made).size).toBe(500)
  })
})

describe('an anomaly', () => {
  const anomaly = { type: 'SPINDLE_TEMPERATURE', severity: 'MAJOR' }

  it('keeps what the device says of it', () => {
    const said = { ...anomaly, message: 'Spindle at 92 °C', score: 0.93, attributes: { axis: 'x' } }
    expect(take('/app/anomaly', said)).toMatchObject({ items: [{ kind: 'anomaly', ...said }], errors: [] })
    expect(take('/app/anomaly', anomaly).items).toMatchObject([{ cleared: false, clockReplaced: false }])
    expect(take('/app/anomaly', { ...anomaly, cleared: true }).items).toMatchObject([{ cleared: true }])
  })

  it('has an id as a log has', () => {
    const own = newIdAt(now - day)
    expect(take('/app/anomaly', { ...anomaly, id: own }).items).toMatchObject([
      { id: own, clockReplaced: false },
    ])
    const { items, clocksReplaced } = take('/app/anomaly', [
      { ...anomaly, id: newIdAt(now + 6 * minute) },
      { ...anomaly, occurredAt: iso(now - 2 * day) },
    ])
    expect(items).toMatchObject([{ clockReplaced: true }, { clockReplaced: false }])
    expect(items.map(item => (item.kind === 'anomaly' ? timeOfId(item.id) : 0))).toEqual([now, now - 2 * day])
    expect(clocksReplaced).toBe(1)
  })

  it('is refused by its field, the others of its body are not', () => {
    const { items, errors } = take('/app/anomaly', [
      { severity: 'MAJOR' },
      anomaly,
      { ...anomaly, severity: 'BAD' },
      { ...anomaly, type: '' },
      { ...anomaly, type: 'x'.repeat(65) },
      { ...anomaly, type: ' HOT' },
      { ...anomaly, type: 'HOT\n' },
      { ...anomaly, score: '0.9' },
      { ...anomaly, message: 'é'.repeat(4097) },
      { ...anomaly, attributes: { a: 'x'.repeat(16_400) } },
      { ...anomaly, cleared: 'yes' },
      { ...anomaly, level: 'INFO' },
    ])
    expect(items).toHaveLength(1)
    expect(errors.map(({ index, field }) => [index, field])).toEqual([
      [0, 'type'],
      [2, 'severity'],
      [3, 'type'],
      [4, 'type'],
      [5, 'type'],
      [6, 'type'],
      [7, 'score'],
      [8, 'message'],
      [9, 'attributes'],
      [10, 'cleared'],
      [11, 'level'],
    ])
    expect(take('/app/anomaly', '{"type":"A","severity":"MAJOR","score":1e999}').errors[0]?.field).toBe(
      'score',
    )
  })
})

describe('what no database takes', () => {
  const half = '\\ud83d'
  it.each([
    ['/app/log', `{"level":"INFO","message":"cut ${half}"}`, 'message', 'has half of a surrogate pair'],
    [
      '/app/log',
      `{"level":"INFO","message":"a","attributes":{"b":["${half}"]}}`,
      'attributes',
      'has half of a surrogate pair',
    ],
    [
      '/app/log',
      `{"level":"INFO","message":"a","attributes":{"${half}":1}}`,
      'attributes',
      'has half of a surrogate pair',
    ],
    [
      '/app/log',
      '{"level":"INFO","message":"a","attributes":{"b":1e999}}',
      'attributes',
      'has a number that is too large',
    ],
    ['/app/state', `{"status":"IDLE","metrics":{"b":"${half}"}}`, 'metrics', 'has half of a surrogate pair'],
    ['/app/connectivity', `{"network":"${half}"}`, 'network', 'has half of a surrogate pair'],
  ] as const)('is refused with its field: %s %s', (destination, body, field, reason) => {
    expect(take(destination, body)).toMatchObject({ items: [], errors: [{ index: 0, field, reason }] })
    expect(take(destination, body.replaceAll(half, '😀').replace('1e999', '1e99')).errors).toEqual([])
  })
})

describe('state and connectivity', () => {
  it.each(['1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z', iso(now - 91 * day), iso(now + 6 * minute)])(
    'are dated now when the clock of the device cannot be right: %s',
    occurredAt => {
      expect(take('/app/state', { status: 'IDLE', occurredAt }).items).toMatchObject([{ at: now }])
    },
  )

  it('are dated when the device says, but not ahead of the clock', () => {
    const at = (occurredAt?: string) => take('/app/state', { status: 'IDLE', occurredAt }).items[0]
    expect(at()).toEqual({
      kind: 'state',
      deviceId: device.deviceId,
      spaceId: device.spaceId,
      receivedAt: now,
      at: now,
      status: 'IDLE',
      metrics: undefined,
    })
    expect(at(iso(now - day))).toMatchObject({ at: now - day })
    expect(at(iso(now + 4 * minute))).toMatchObject({ at: now + 4 * minute })
    expect(at(iso(now + 6 * minute))).toMatchObject({ at: now })
  })

  it('keep what was measured', () => {
    const { items, errors } = take('/app/connectivity', { network: 'wifi', signal: -61, latencyMs: 4.5 })
    expect(errors).toEqual([])
    expect(items[0]).toMatchObject({ kind: 'connectivity', network: 'wifi', signal: -61, latencyMs: 4.5 })
  })
})

describe('a body', () => {
  it('with some bad items accepts the others and says what is wrong with each', () => {
    const { items, errors, reason } = take('/app/log', [
      log,
      { level: 'LOUD', message: 'x' },
      { ...log, deviceId: 'another' },
      null,
      { level: 'INFO' },
      { ...log, occurredAt: 'yesterday' },
      log,
    ])
    expect(items).toHaveLength(2)
    expect(reason).toBe('bad_item')
    expect(errors.map(error => [error.index, error.field])).toEqual([
      [1, 'level'],
      [2, 'deviceId'],
      [3, null],
      [4, 'message'],
      [5, 'occurredAt'],
    ])
    expect(errors[1]?.reason).toBe('There is no such field.')
  })

  it.each([
    ['{"level":', 'The body is not JSON.', 'not_json'],
    ['', 'The body is not JSON.', 'not_json'],
    ['"text"', 'The body must be an object or an array of objects.', 'wrong_shape'],
    ['null', 'The body must be an object or an array of objects.', 'wrong_shape'],
  ])('%j is refused whole', (body, text, reason) => {
    const intake = take('/app/log', body)
    expect(intake).toMatchObject({ items: [], errors: [{ index: null, field: null, reason: text }], reason })
  })

  it('that is not UTF-8 is refused whole', () => {
    const intake = takeMessage('/app/log', Buffer.from([0x22, 0xff, 0x22]), context)
    expect(intake.errors).toEqual([{ index: null, field: null, reason: 'The body is not UTF-8.' }])
  })

  it('of more than 500 items is refused whole, an empty one is fine', () => {
    expect(take('/app/log', Array(501).fill(log))).toMatchObject({ items: [], reason: 'too_many_items' })
    expect(take('/app/log', [])).toMatchObject({ items: [], errors: [], reason: undefined })
  })

  it('with text or attributes that are too long or too deep is refused by its field', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
    const field = (fields: object) => take('/app/log', { ...log, ...fields }).errors[0]
    expect(field({ message: 'é'.repeat(4097) })).toMatchObject({
      field: 'message',
      reason: 'longer than 8192 bytes',
    })
    expect(field({ attributes: { a: 'x'.repeat(16_400) } })).toMatchObject({ field: 'attributes' })
    expect(field({ attributes: { a: deep(15) } })).toBeUndefined()
    expect(field({ attributes: { a: deep(16) } })).toMatchObject({ field: 'attributes' })
    const nested = `{"level":"INFO","message":"x","attributes":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`
    expect(take('/app/log', nested).errors[0]).toMatchObject({ field: 'attributes' })
  })

  it('with a field whose name is absurdly long gets a short answer', () => {
    expect(take('/app/log', { ...log, ['x'.repeat(10_000)]: 1 }).errors[0]?.field).toHaveLength(100)
  })
})
