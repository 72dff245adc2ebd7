import { expect, it } from 'vitest'
import { createMetrics } from '../metrics.ts'
import { openTestDatabase } from '../testkit/open-test-database.ts'
import { waitFor } from '../testkit/wait-for.ts'
import { openMysql } from './open-mysql.ts'
import { watchPool } from './pool-metrics.ts'

it('tells how many connections are busy and idle, and who waits', async () => {
  await using database = await openTestDatabase()
  await using mysql = openMysql({ url: database.url, poolSize: 2 })
  const metrics = createMetrics({ group: 'test', withDefaults: false })
  watchPool(metrics, mysql.pool)
  const read = async () => {
    const text = await metrics.metrics()
    const value = (name: string) => Number(new RegExp(`^${name}.* (\\d+)$`, 'm').exec(text)?.[1])
    const state = (name: string) => value(`nuvion_database_pool_connections\\{state="${name}"`)
    return [state('busy'), state('idle'), state('waiting'), value('nuvion_database_pool_waits_total')]
  }
  expect(await read()).toEqual([0, 0, 0, 0])
  const held = [await mysql.pool.getConnection(), await mysql.pool.getConnection()]
  const third = mysql.pool.getConnection()
  await waitFor(async () => (await read())[2] === 1, { what: 'a caller that waits' })
  expect(await read()).toEqual([2, 0, 1, 1])
  for (const connection of held) connection.release()
  ;(await third).release()
  expect(await read()).toEqual([0, 2, 0, 1])
})
