import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDashboardStep } from './dashboard.mjs'

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url))

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nuvion-setup-'))
  mkdirSync(join(root, 'dashboard', 'src'), { recursive: true })
  symlinkSync(MODULES, join(root, 'node_modules'))
  writeFileSync(join(root, 'package-lock.json'), '{}')
  write('vite.config.ts', 'export default { root: import.meta.dirname, logLevel: "error" }')
  write('index.html', '<!doctype html><script type="module" src="/src/main.ts"></script>')
  write('src/main.ts', `console.log('first', ${JSON.stringify('long '.repeat(400))})`)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(root, 'dashboard', name), text)
const step = () => createDashboardStep({ root, env: process.env })

/** The one script of the build. */
function readScript(): { file: string; text: string } {
  const folder = join(root, 'dashboard', 'dist', 'assets')
  const [name = ''] = readdirSync(folder).filter(one => one.endsWith('.js'))
  return { file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }
}

it('builds the page, again when what it is made of has changed, and keeps the old build when that fails', async () => {
  expect(step().isDone()).toBe(false)
  await step().run()
  expect(step().isDone()).toBe(true)
  const { file, text } = readScript()
  expect(text).toContain('first')
  expect(String(brotliDecompressSync(readFileSync(`${file}.br`)))).toBe(text)
  expect(existsSync(`${file}.gz`)).toBe(true)

  write('src/main.ts', "console.log('second')")
  expect(step().isDone()).toBe(false)
  await step().run()
  expect(readScript().text).toContain('second')
  expect(existsSync(file)).toBe(false)

  write('src/main.ts', 'import "./nowhere.ts"')
  await expect(step().run()).rejects.toThrow('could not be built')
  expect(readScript().text).toContain('second')
  expect(step().isDone()).toBe(false)
  expect(readdirSync(join(root, 'dashboard')).filter(name => name.startsWith('dist.'))).toEqual([])

  writeFileSync(join(root, 'package-lock.json'), '{ "lockfileVersion": 3 }')
  write('src/main.ts', "console.log('second')")
  expect(step().isDone()).toBe(false)
}, 60_000)

it('has nothing to do where there are no sources', () => {
  rmSync(join(root, 'dashboard'), { recursive: true })
  expect(step().isDone()).toBe(true)
})
