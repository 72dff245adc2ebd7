import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installWithApt } from './apt.mjs'
import { createServersStep } from './servers.mjs'

let dir: string
let bin: string
let calls: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'nuvion-setup-'))
  bin = join(dir, 'bin')
  calls = join(dir, 'calls')
  mkdirSync(bin)
  writeFileSync(calls, '')
})

afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

function writeProgram(name: string, script = ''): string {
  const file = join(bin, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

const step = (env: Record<string, string> = {}, isRoot = false) =>
  createServersStep({ env: { PATH: bin, ...env }, folders: [], isRoot })

describe('the servers step', () => {
  it('has nothing to do when the servers are on PATH', () => {
    for (const name of ['mariadbd', 'mariadb-install-db', 'redis-server']) writeProgram(name)
    expect(step().isDone()).toBe(true)
  })

  it('does not take a file that cannot be run for a server', () => {
    for (const name of ['mariadbd', 'mariadb-install-db', 'redis-server']) writeProgram(name)
    chmodSync(join(bin, 'redis-server'), 0o644)
    expect(step().isDone()).toBe(false)
  })

  it('needs no server whose address is given', () => {
    expect(step({ DATABASE_URL: 'mysql://a/b', REDIS_URL: 'redis://a' }).isDone()).toBe(true)
    expect(step({ DATABASE_URL: 'mysql://a/b' }).isDone()).toBe(false)
  })

  it('says the exact command and the other way out when it may not install', async () => {
    writeProgram('apt-get', `echo "$@" >> ${calls}`)
    writeProgram('mariadbd')
    writeProgram('mariadb-install-db')
    await expect(step().run()).rejects.toThrow(
      /needs Redis on this machine[\s\S]*sudo apt-get install redis-server\n[\s\S]*DATABASE_URL, REDIS_URL and REDIS_INGEST_URL/,
    )
    expect(readFileSync(calls, 'utf8')).toBe('')
  })
})

describe('installing with apt-get', () => {
  const env = () => ({ PATH: `${bin}:/usr/bin:/bin` })
  const choices = [['mariadb-server-core', 'mariadb-client-core'], ['mariadb-server']]

  it('forbids services meanwhile, and takes that back', async () => {
    const policyFile = join(dir, 'policy-rc.d')
    const apt = writeProgram('apt-get', `echo "$@" >> ${calls}; ${policyFile}; echo "policy $?" >> ${calls}`)
    expect(await installWithApt({ apt, env: env(), choices: [choices], policyFile })).toBe('')
    const said = readFileSync(calls, 'utf8')
    expect(said).toMatch(/^install -y .*mariadb-server-core mariadb-client-core\npolicy 101\n$/)
    expect(existsSync(policyFile)).toBe(false)
  })

  it('leaves a policy of the machine as it is', async () => {
    const policyFile = join(dir, 'policy-rc.d')
    writeFileSync(policyFile, 'own')
    await installWithApt({ apt: writeProgram('apt-get'), env: env(), choices: [choices], policyFile })
    expect(readFileSync(policyFile, 'utf8')).toBe('own')
  })

  it('takes the second choice where the first does not exist, before it refreshes the lists', async () => {
    const apt = writeProgram('apt-get', `echo "$@" >> ${calls}; case "$*" in *-core*) exit 100;; esac`)
    expect(await installWithApt({ apt, env: env(), choices: [choices], policyFile: join(dir, 'p') })).toBe('')
    expect(readFileSync(calls, 'utf8')).not.toContain('update')
  })

  it('refreshes the lists once when nothing can be had, and says what apt-get said when that does not help', async () => {
    const refreshed = join(dir, 'refreshed')
    const apt = writeProgram(
      'apt-get',
      `echo "$1" >> ${calls}; [ "$1" = update ] && touch ${refreshed}; [ -e ${refreshed} ] || exit 100`,
    )
    expect(await installWithApt({ apt, env: env(), choices: [choices], policyFile: join(dir, 'p') })).toBe('')
    expect(readFileSync(calls, 'utf8')).toBe('install\ninstall\nupdate\ninstall\n')
    const broken = writeProgram('apt-get', 'echo "E: Unable to locate package"; exit 100')
    const reason = await installWithApt({
      apt: broken,
      env: env(),
      choices: [choices],
      policyFile: join(dir, 'p'),
    })
    expect(reason).toContain('E: Unable to locate package')
  })
})
