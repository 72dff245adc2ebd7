import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeScratchFolder } from './scratch-folder.ts'

it('removes what a killed run has left, and itself in the end', async () => {
  await using base = await makeScratchFolder('test')
  const left = join(base.path, 'nuvion-perf-start-4194305-abc')
  const others = join(base.path, 'nuvion-perf-media-4194305-abc')
  mkdirSync(left)
  mkdirSync(others)
  const folder = await makeScratchFolder('start', base.path)
  expect([left, others, folder.path].map(path => existsSync(path))).toEqual([false, true, true])
  const second = await makeScratchFolder('start', base.path)
  expect(existsSync(folder.path)).toBe(true)
  await folder[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  expect(existsSync(folder.path)).toBe(false)
})
