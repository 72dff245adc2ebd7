import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServerProcess } from '../embedded/server-process.ts'
import type { S3Bucket } from '../storage/s3-signature.ts'

const VERSION = 'v1.8.0'
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'nuvion-test')
const BUILD_DEADLINE_MS = 10 * 60_000

/** An S3 server that checks signatures, with one empty bucket. Dispose ends it and deletes its files. */
export interface S3Server extends AsyncDisposable {
  readonly bucket: S3Bucket
}

/**
 * Returns the program of an S3 server (versitygw), which `go install` builds into a cache outside the project the first
 * time. Null, with a loud line, where that cannot be had; under CI it throws instead.
 */
export async function findS3Server(): Promise<string | null> {
  const file = join(CACHE, `versitygw-${VERSION}`)
  try {
    await access(file)
    return file
  } catch {}
  try {
    await mkdir(CACHE, { recursive: true })
    const bin = await mkdtemp(join(CACHE, 'build-'))
    try {
      await promisify(execFile)('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
        env: { ...process.env, GOBIN: bin, GOFLAGS: '-p=2' },
        timeout: BUILD_DEADLINE_MS,
      })
      await rename(join(bin, 'versitygw'), file)
    } finally {
      await rm(bin, { recursive: true, force: true })
    }
    return file
  } catch (error) {
    if (process.env.CI) throw error
    console.error('SKIPPED: tests on an S3 server, as go cannot install versitygw.', error)
    return null
  }
}

/** Starts the server on a port of its own. */
export async function startS3Server(file: string): Promise<S3Server> {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-s3-'))
  const [data, sidecar] = [join(dir, 'data'), join(dir, 'sidecar')]
  for (const path of [join(data, 'clips'), sidecar]) await mkdir(path, { recursive: true })
  const [accessKey, secretKey] = ['test-access', 'test-secret/+=']
  const port = await findFreePort()
  const endpoint = `http://127.0.0.1:${port}`
  const keys = ['--access', accessKey, '--secret', secretKey]
  const server = await startServerProcess({
    name: 'versitygw',
    file,
    args: [...keys, '--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', sidecar, data],
    cwd: dir,
    logFile: join(dir, 'log'),
    isReady: async () => (await fetch(endpoint)).status > 0,
    readyDeadlineMs: 20_000,
  })
  return {
    bucket: { endpoint, region: 'us-east-1', bucket: 'clips', accessKey, secretKey, isPathStyle: true },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  await new Promise(done => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}
