import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createCheck } from '../runner/check.ts'
import { interleave } from '../runner/interleave.ts'
import { describeMachine, judgeMachine, watchMachine } from '../runner/machine.ts'
import { makeScratchFolder } from '../runner/scratch-folder.ts'
import { summarise } from '../runner/statistics.ts'
import type { Suite } from '../runner/suite.ts'

const READY_LIMIT_MS = 3_000
const SETUP_LIMIT_MS = 1_000

const ROUNDS = 9
const QUICK_ROUNDS = 3

/** A start that takes longer has failed. */
const DEADLINE_MS = 60_000

/** How long it takes until `npm start` of a folder that is set up says that it is ready, and what setup takes of it. */
export const startSuite: Suite = {
  title: 'time from `npm start` to ready, and of a setup with nothing to do',

  async run({ isQuick, root, progress }) {
    await using data = await makeScratchFolder('start')
    const env = userEnvironment(root, data.path)
    const rounds = isQuick ? QUICK_ROUNDS : ROUNDS
    progress('the first start, which makes the databases and is not counted')
    const firstStartMs = await timeStart(root, env)
    await timeSetup(root, env)
    const endWatch = watchMachine()
    const samples = await interleave(['start', 'setup'] as const, rounds, async (what, round) => {
      const ms = await (what === 'start' ? timeStart : timeSetup)(root, env)
      progress(`round ${round + 1} of ${rounds}: ${what} ${Math.round(ms)} ms`)
      return ms
    })
    const use = endWatch()
    const describe = (what: 'start' | 'setup') => {
      const all = samples.get(what) ?? []
      return { ...summarise(all), samples: all }
    }
    const [ready, setup] = [describe('start'), describe('setup')]
    const check = (name: string, value: number, limit: number) =>
      createCheck({ name, value, unit: 'ms', limit, better: 'lower' })
    return {
      checks: [
        check('start.ready_ms', ready.median, READY_LIMIT_MS),
        check('start.warm_setup_ms', setup.median, SETUP_LIMIT_MS),
      ],
      reasons: judgeMachine(use),
      details: { machine: describeMachine(), machineUse: use, firstStartMs, ready, setup },
    }
  },
}

/** Milliseconds from the spawn of `npm start` to its ready line; it is stopped as Ctrl-C does, and has ended then. */
async function timeStart(root: string, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => signalGroup(child, 'SIGTERM')
  process.once('exit', kill)
  let log = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    log = (log + text).slice(-8_192)
  })
  const exited = once(child, 'exit')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  createInterface({ input: child.stdout }).on('line', line => {
    if (/^NUVION is ready at http:/.test(line)) resolve(performance.now() - startedAt)
  })
  exited.then(([code]) => reject(new Error(`npm start ended with ${code}:\n${log}`)), reject)
  const deadline = setTimeout(
    () => reject(new Error(`npm start was not ready in ${DEADLINE_MS} ms:\n${log}`)),
    DEADLINE_MS,
  )
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
    signalGroup(child, 'SIGINT')
    const killer = setTimeout(() => signalGroup(child, 'SIGKILL'), DEADLINE_MS)
    await exited.catch(() => {})
    clearTimeout(killer)
    process.off('exit', kill)
  }
}

/** Milliseconds that `node setup/main.mjs` takes. Rejects when it fails. */
async function timeSetup(root: string, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const child = spawn('node', ['setup/main.mjs'], { cwd: root, env, stdio: 'ignore', timeout: DEADLINE_MS })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`node setup/main.mjs ended with ${code}.`)
  return performance.now() - startedAt
}

/** The environment of a person's shell: without what npm adds for scripts, and nothing of the product but its place. */
function userEnvironment(root: string, dataDir: string): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => !folder.startsWith(join(root, 'node_modules')))
    .join(delimiter)
  return { PATH: path, HOME: process.env.HOME, PORT: '0', NUVION_DATA: dataDir }
}

/** A terminal's Ctrl-C reaches every process of the group. */
function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended meanwhile, which is what was wanted.
  }
}
