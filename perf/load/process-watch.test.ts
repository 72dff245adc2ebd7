import { expect, it } from 'vitest'
import { describeProcess, readProcesses } from './process-watch.ts'

it('tells the processes of the product apart', () => {
  const name = (...words: string[]) => describeProcess(words).name
  expect(name('/usr/bin/node', 'main.ts')).toBe('supervisor')
  expect(name('/usr/bin/node', '/srv/main.ts', 'gateway', 'device', 'media')).toBe('front')
  expect(name('/usr/bin/node', '/srv/main.ts', 'stomp', 'ingest', 'worker')).toBe('back')
  expect(name('/usr/sbin/mariadbd', '--no-defaults')).toBe('MariaDB')
  expect(name('/usr/bin/redis-server', '--unixsocket', '/data/redis-ingest/ingest.sock')).toBe(
    'Redis (ingest)',
  )
  expect(name('/usr/bin/redis-server', '--unixsocket', '/data/redis-live/live.sock')).toBe('Redis (live)')
  expect(describeProcess(['/x/mediasoup-worker', '--logLevel=warn']).kind).toBe('mediasoup')
})

it('reads this process, its memory and its CPU', () => {
  const own = readProcesses(process.pid).find(({ pid }) => pid === process.pid)
  expect(Math.abs((own?.rssMiB ?? 0) - process.memoryUsage.rss() / 2 ** 20)).toBeLessThan(20)
  expect(own?.cpuMs).toBeGreaterThan(0)
})
