import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasMediaWorker } from '../../media/testing/start-test-media.ts'
import { readSupergraphSdl } from '../../schema/graphql/subgraph-sdl.ts'
import { buildSupergraph } from '../supergraph.ts'
import { type Called, call, subscribeOnce } from './testing/calls.ts'
import { type Factory, publishEvents } from './testing/factory-world.ts'
import { createChoice, FIELD_ROUTES, type FieldRoute } from './testing/inputs-of-operations.ts'
import {
  CALLER_RIGHTS,
  expectedOutcome,
  MEDIA_OPERATIONS,
  type Outcome,
  type RightsRow,
  SPACE_RIGHTS,
  type Standing,
  type With,
} from './testing/rights-of-operations.ts'
import {
  type Caller,
  openRightsWorld,
  type RightsWorld,
  TARGETS,
  type Target,
} from './testing/rights-world.ts'
import { buildOperation, listOperations, listTypeFields, selectField } from './testing/sdl-operations.ts'

const schema = buildSupergraph(readSupergraphSdl()).apiSchema
let world: RightsWorld
beforeAll(async () => {
  world = await openRightsWorld()
}, 180_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

/** A call, and what should come of it. */
interface Trial {
  readonly caller: Caller
  readonly target: Target
  readonly expected: Outcome
}

/** Every variant of every operation of the table, with its trials. */
const cases = [
  ...Object.entries(SPACE_RIGHTS).flatMap(([right, row]) =>
    list(row.operations).map(one => ({
      ...one,
      right,
      isForNobody: false,
      trials: () =>
        world.callers.flatMap(caller =>
          TARGETS.map(target => ({
            caller,
            target,
            expected: expectedOutcome(row, caller.standing[target]),
          })),
        ),
    })),
  ),
  ...Object.entries(CALLER_RIGHTS).flatMap(([right, row]) =>
    list(row.operations).map(one => ({
      ...one,
      right,
      isForNobody: row.isForNobody ?? false,
      trials: () =>
        world.callers
          .filter(caller => !row.isForMembers || isConcerned(caller))
          .map((caller): Trial => {
            const [person, unproven, device, nobody] = row.may
            return { caller, target: 'own', expected: { person, unproven, device, nobody }[caller.kind] }
          }),
    })),
  ),
]

/** Whether a caller is no person, or a member of the space. */
function isConcerned({ kind, standing }: Caller): boolean {
  return kind === 'device' || kind === 'nobody' || isInside(standing.own)
}

function list(operations: Readonly<Record<string, With | readonly With[]>>) {
  return Object.entries(operations).flatMap(([name, variants]) =>
    [variants].flat().map((also, i) => ({ name, also, title: i === 0 ? name : `${name} (${i + 1})` })),
  )
}

/** What is wrong with what has come of a trial; empty when nothing is. */
function judge({ caller, target, expected }: Trial, { outcome, text, request }: Called): string[] {
  const who = `${caller.name} at the ${target} space`
  if (outcome !== expected) return [`${who}: expected ${expected}, got ${outcome}: ${text.slice(0, 300)}`]
  if (expected === 'allowed') return []
  // Whoever is refused sees nothing of a space of others but what they have named themselves.
  const hidden = [
    ...(isInside(caller.standing.own) ? [] : secretsOf(world.own)),
    ...(isInside(caller.standing.other) ? [] : secretsOf(world.other)),
  ]
  const told = hidden.filter(secret => text.includes(secret) && !request.includes(secret))
  return told.map(secret => `${who} was told ${secret}: ${text.slice(0, 300)}`)
}

function secretsOf({ ids, marker }: Factory): string[] {
  return [marker, ...Object.values(ids)]
}

function isInside(standing: Standing): boolean {
  return !['STRANGER', 'FOREIGN', 'NOBODY'].includes(standing)
}

it('the table of rights has every operation and every field of the SDL, and none that is not there', () => {
  const rows: readonly { operations: object }[] = [
    ...Object.values(SPACE_RIGHTS),
    ...Object.values(CALLER_RIGHTS),
  ]
  const named = new Set(rows.flatMap(({ operations }) => Object.keys(operations)))
  expect([...named].sort()).toEqual(listOperations(schema).sort())
  expect(
    fieldsOf([...Object.values(SPACE_RIGHTS), ...Object.values(CALLER_RIGHTS)])
      .map(({ name }) => name)
      .sort(),
  ).toEqual(listTypeFields(schema).sort())
})

function fieldsOf<Row extends Pick<RightsRow, 'fields'>>(rows: readonly Row[]) {
  return rows.flatMap(row =>
    Object.entries(row.fields ?? {}).flatMap(([type, names]) =>
      names.split(' ').map(name => ({ name: `${type}.${name}`, type, row })),
    ),
  )
}

describe.each(cases.filter(({ name }) => !name.startsWith('Subscription')))('$right: $title', one => {
  const isWithout = MEDIA_OPERATIONS.has(one.name) && !hasMediaWorker
  it.skipIf(isWithout)('is for whom the table says, and changes nothing for others', async () => {
    const send = ({ caller, target }: Trial) => {
      const choose = createChoice(one.name, one.also(at(caller, target), world.secrets), world.idsOf(target))
      return call(world.product.url, caller.token, buildOperation(schema, one.name, choose), one.name)
    }
    const trials = one.trials()
    const mayChange = (trial: Trial) => one.name.startsWith('Mutation') && trial.expected === 'allowed'
    const problems: string[] = []
    let isDone = false
    const harmless = trials.filter(trial => !mayChange(trial))
    for (const [trial, called] of await Promise.all(
      harmless.map(async trial => [trial, await send(trial)] as const),
    )) {
      problems.push(...judge(trial, called))
      isDone ||= called.isDone
    }
    expect(problems).toEqual([])
    expect(await world.rows.listChanged()).toEqual([])
    for (const trial of trials.filter(mayChange)) {
      const called = await send(trial)
      problems.push(...judge(trial, called))
      isDone ||= called.isDone
      await world.restore()
    }
    expect(problems).toEqual([])
    // Or the table would say nothing of it.
    expect(isDone, 'somebody for whom it takes effect').toBe(!one.isForNobody)
  })
})

function at(caller: Caller, target: Target) {
  return { ...world.idsOf(target), callerId: caller.id }
}

describe.each(cases.filter(({ name }) => name.startsWith('Subscription')))('$right: $title', one => {
  it('is opened for whom the table says, and tells others nothing', async () => {
    const stop = new AbortController()
    const publishing = (async () => {
      while (!stop.signal.aborted)
        await Promise.all([world.own, world.other].map(factory => publishEvents(world.product, factory)))
    })()
    const problems = await Promise.all(
      one.trials().map(async trial => {
        const { caller, target } = trial
        const choose = createChoice(
          one.name,
          one.also(at(caller, target), world.secrets),
          world.idsOf(target),
        )
        const operation = buildOperation(schema, one.name, choose)
        return judge(trial, await subscribeOnce(world.product.url, caller.token, operation, one.name))
      }),
    )
    stop.abort()
    await publishing
    expect(problems.flat()).toEqual([])
    expect(await world.rows.listChanged()).toEqual([])
  })
})

describe.each(Object.entries(SPACE_RIGHTS).filter(([, { fields }]) => fields !== undefined))(
  '%s',
  (_, row) => {
    it.each(Object.keys(row.fields ?? {}))('every field of %s is for whom the table says', async type => {
      const problems: string[] = []
      const trials = fieldsOf([row])
        .filter(field => field.type === type)
        .flatMap(({ name }) =>
          (FIELD_ROUTES[type] ?? []).flatMap(route =>
            world.callers.flatMap(caller => TARGETS.map(target => ({ caller, target, route, name }))),
          ),
        )
      expect(trials.length).toBeGreaterThan(0)
      for (let i = 0; i < trials.length; i += 50)
        await Promise.all(
          trials.slice(i, i + 50).map(async ({ caller, target, route, name }) => {
            const expected = expectedOnRoute(row, caller.standing[target], route)
            const operation = route.toOperation(selectField(schema, name), world.idsOf(target))
            const called = await call(world.product.url, caller.token, operation, route.root)
            problems.push(
              ...judge({ caller, target, expected }, called).map(text => `${name} by ${route.root}: ${text}`),
            )
          }),
        )
      expect(problems).toEqual([])
      expect(await world.rows.listChanged()).toEqual([])
    })
  },
)

/** On its way to an object a device is told first what it may not ask, and what is not there for it. */
function expectedOnRoute(row: RightsRow, standing: Standing, { isForDevices }: FieldRoute): Outcome {
  if (standing === 'ITSELF' && !isForDevices) return 'FORBIDDEN'
  if (standing === 'FOREIGN') return isForDevices ? 'NOT_FOUND' : 'FORBIDDEN'
  return expectedOutcome(row, standing)
}
