import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readSupergraphSdl, SUBGRAPH_NAMES } from '../../schema/graphql/subgraph-sdl.ts'

const READY_INTERVAL_MS = 50

/**
 * Runs Hive Gateway's own command line in this process, one worker, and resolves when it serves. `addressOf` says where
 * a subgraph is; `args` are more of its arguments.
 */
export async function startHive({
  config,
  addressOf,
  args,
}: {
  config: URL
  addressOf: (subgraph: string) => string
  args: readonly string[]
}): Promise<{ host: string; close(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-perf-hive-'))
  const supergraph = join(dir, 'supergraph.graphql')
  await writeFile(supergraph, addressSubgraphs(readSupergraphSdl(), addressOf))
  const port = await findFreePort()
  const cli = new URL('./node_modules/@graphql-hive/gateway/dist/bin.js', import.meta.url).href
  process.argv.splice(2, process.argv.length, 'supergraph', supergraph, ...args)
  process.argv.push('--config-path', fileURLToPath(config), '--host', '127.0.0.1', '--port', String(port))
  process.argv.push('--fork', '1')
  // Not installed with the rest, so its types are not there to check against.
  await import(cli)
  const host = `127.0.0.1:${port}`
  while (!(await isReady(host))) await sleep(READY_INTERVAL_MS)
  return { host, close: () => rm(dir, { recursive: true, force: true }) }
}

/** The committed supergraph names its subgraphs `nuvion:<name>`; Hive wants addresses there. */
function addressSubgraphs(supergraphSdl: string, addressOf: (subgraph: string) => string): string {
  return SUBGRAPH_NAMES.reduce(
    (sdl, name) => sdl.replace(`"nuvion:${name}"`, `"${addressOf(name)}"`),
    supergraphSdl,
  )
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function isReady(host: string): Promise<boolean> {
  try {
    return (await fetch(`http://${host}/readiness`)).ok
  } catch {
    return false
  }
}
