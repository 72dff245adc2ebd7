import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSupergraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import { buildSupergraph } from '../supergraph.ts'
import { call, followUntil } from './testing/calls.ts'
import { type Factory, publishEvents } from './testing/factory-world.ts'
import { createChoice, kindOfId } from './testing/inputs-of-operations.ts'
import { CALLER_RIGHTS, SPACE_RIGHTS, type With } from './testing/rights-of-operations.ts'
import { openRightsWorld, type RightsWorld } from './testing/rights-world.ts'
import { buildOperation, getField, listPlaces, type Place } from './testing/sdl-operations.ts'

const schema = buildSupergraph(readSupergraphSdl()).apiSchema
let world: RightsWorld
beforeAll(async () => {
  world = await openRightsWorld()
}, 180_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

/** What no id of ours looks like, or what is one of another kind: by name. */
const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  'no UUID': 'x',
  SQL: "' OR 1=1 -- ",
  'another version': '00000000-0000-4000-8000-000000000000',
  'long text': 'a'.repeat(5_000),
  'a NUL': '\u0000',
  'half a character': '\ud800',
}

/** A device's own, or a viewer's own: tests of clips and of streaming name those of others. */
const NOT_OF_A_SPACE = ['Mutation.requestClipUpload', 'Mutation.completeClipUpload', 'Subscription.signaling']

/** Each place for an id in each operation of the SDL, also inside of inputs, and with it what the operation takes besides. */
const cases = [...Object.values(SPACE_RIGHTS), ...Object.values(CALLER_RIGHTS)]
  .flatMap(({ operations }) => Object.entries(operations as Readonly<Record<string, With | readonly With[]>>))
  .filter(([name]) => !NOT_OF_A_SPACE.includes(name))
  .flatMap(([name, variants]) =>
    listPlaces(getField(schema, name))
      .filter(({ typeName }) => typeName === 'ID')
      .flatMap(place =>
        [variants]
          .flat()
          .map((also, i) => ({ name, place, also, title: `${name} ${place.path} (${i + 1})` })),
      ),
  )
  // The others watch another kind by the same place.
  .filter(({ name, title }) => name !== 'Mutation.watch' || title.endsWith('(1)'))

/**
 * Ids that only narrow what is read of the space, or end what is not there: one of elsewhere is taken, and nothing comes
 * of it.
 */
const NARROWING = new Set([
  ...['deviceIds', 'lineId', 'processId'].map(name => `Mutation.exportReport input.${name}`),
  'Mutation.unwatch input.id',
])

/** The operation of the OWNER of the own space, with something hostile in one place for an id. */
function build({ name, place, also }: (typeof cases)[number], hostile: string) {
  const { own, secrets } = world
  const at = { ...own.ids, callerId: own.people.OWNER }
  const choose = createChoice(name, also(at, secrets), own.ids)
  return buildOperation(schema, name, (one: Place) => (one.path === place.path ? hostile : choose(one)))
}

function hostileIds(name: string, place: Place): [what: string, id: string][] {
  const { own, other, idsOf } = world
  const kind = kindOfId(name, place.name)
  return [
    ['of the other space', other.ids[kind]],
    ['of the other space, in capitals', other.ids[kind].toUpperCase()],
    ['of nothing', idsOf('missing')[kind]],
    ['of another kind', kind === 'deviceId' ? own.ids.lineId : own.ids.deviceId],
    ...Object.entries(HOSTILE_TEXTS),
  ]
}

/** What of a factory stands in an answer though it did not stand in the request. */
function toldOf({ ids, marker }: Factory, text: string, request: string): string[] {
  return [marker, ...Object.values(ids)].filter(secret => text.includes(secret) && !request.includes(secret))
}

describe.each(cases.filter(({ name }) => name.startsWith('Mutation')))('$title', one => {
  it('changes nothing by an id that is not of the space', async () => {
    const token = world.caller('OWNER').token
    const problems: string[] = []
    for (const [what, id] of hostileIds(one.name, one.place)) {
      const called = await call(world.product.url, token, build(one, id), one.name)
      if (called.isDone && !NARROWING.has(`${one.name} ${one.place.path}`))
        problems.push(`${what} was taken: ${called.text}`)
      const isTold = called.outcome === 'NOT_FOUND' || called.outcome === 'allowed'
      if (!isTold) problems.push(`${what} was answered with ${called.text.slice(0, 300)}`)
      problems.push(...toldOf(world.other, called.text, called.request))
      const changed = await world.rows.listChanged()
      if (changed.length === 0) continue
      problems.push(`${what} has changed ${changed}`)
      await world.restore()
    }
    expect(problems).toEqual([])
  })
})

describe.each(cases.filter(({ name }) => name.startsWith('Query')))('$title', one => {
  it('finds nothing by an id that is not of the space', async () => {
    const token = world.caller('OWNER').token
    const problems: string[] = []
    for (const [what, id] of hostileIds(one.name, one.place)) {
      const { outcome, text, request } = await call(world.product.url, token, build(one, id), one.name)
      if (!['NOT_FOUND', 'allowed', 'BAD_USER_INPUT'].includes(outcome))
        problems.push(`${what} was answered with ${text.slice(0, 300)}`)
      const told = [world.own, world.other].flatMap(factory => toldOf(factory, text, request))
      problems.push(...told.map(secret => `${what} has told ${secret}: ${text.slice(0, 300)}`))
    }
    expect(problems).toEqual([])
    expect(await world.rows.listChanged()).toEqual([])
  })
})

describe.each(cases.filter(({ name }) => name.startsWith('Subscription')))('$title', one => {
  it('tells nothing by an id that is not of the space', async () => {
    const token = world.caller('OWNER').token
    const plain = buildOperation(schema, one.name, createChoice(one.name, {}, world.own.ids))
    const stop = new AbortController()
    const publishing = (async () => {
      while (!stop.signal.aborted)
        await Promise.all([world.own, world.other].map(factory => publishEvents(world.product, factory)))
    })()
    const ids = hostileIds(one.name, one.place)
    const heard = await followUntil(
      world.product.url,
      token,
      ids.map(([, id]) => build(one, id)),
      plain,
      20,
    )
    stop.abort()
    await publishing
    expect(heard.map((messages, i) => [ids[i]?.[0], messages])).toEqual(ids.map(([what]) => [what, []]))
  })
})
