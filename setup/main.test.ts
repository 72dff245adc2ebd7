import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nuvion-setup-'))
  mkdirSync(join(root, 'setup'))
  mkdirSync(join(root, 'bin'))
  for (const name of readdirSync(import.meta.dirname).filter(name => name.endsWith('.mjs'))) {
    copyFileSync(join(import.meta.dirname, name), join(root, 'setup', name))
  }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {} } }))
  for (const name of ['mariadbd', 'mariadb-install-db', 'redis-server']) writeProgram(name, '')
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

function writeProgram(name: string, script: string): void {
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(root, 'bin', name), 0o755)
}

async function runSetup(): Promise<{ code: number; output: string }> {
  const env = { PATH: [join(root, 'bin'), '/usr/bin', '/bin'].join(delimiter) }
  const child = spawn(process.execPath, [join(root, 'setup', 'main.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

describe('setup', () => {
  it('does what is missing, saying so, and then nothing, in silence', async () => {
    writeProgram('npm', 'mkdir -p node_modules/.bin; touch node_modules/.bin/node')
    const first = await runSetup()
    expect(first.code).toBe(0)
    expect(first.output).toMatch(
      /^setup: Installing packages …\nsetup: Installing packages: done in \d+ s\n$/,
    )
    expect(await runSetup()).toEqual({ code: 0, output: '' })
  })

  it('installs once when two run at the same time', async () => {
    writeProgram(
      'npm',
      'echo run >> runs; sleep 0.3; mkdir -p node_modules/.bin; touch node_modules/.bin/node',
    )
    const results = await Promise.all([runSetup(), runSetup()])
    expect(results.map(result => result.code)).toEqual([0, 0])
    expect(readFileSync(join(root, 'runs'), 'utf8')).toBe('run\n')
  })

  it('ends with 1 and a message without a stack when it cannot', async () => {
    writeProgram('npm', 'echo "npm error no network" >&2; exit 1')
    const { code, output } = await runSetup()
    expect(code).toBe(1)
    expect(output).toContain('npm error no network\n\nnpm ci failed')
    expect(output).not.toContain('at ')
    expect(readdirSync(join(root, '.nuvion'))).toEqual([])
  })
})
