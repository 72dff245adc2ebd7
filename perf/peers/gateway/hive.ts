import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readSupergraphSdl, SUBGRAPH_NAMES } from '../../../schema/graphql/subgraph-sdl.ts'
import { runPeer } from './peer-program.ts'

const READY_INTERVAL_MS = 50

// Its best: Hive Gateway's own command line with one worker (what is compared is CPU per request) and the settings of
// hive.config.ts, on the Hive Router runtime: the query planner in Rust with the executor made for it, which its
// documentation calls up to three times as fast as the default.
await runPeer<{ subgraphsUrl: string }, { url: string }>(async ({ subgraphsUrl }) => {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-perf-hive-'))
  const supergraph = join(dir, 'supergraph.graphql')
  await writeFile(supergraph, addressSubgraphs(readSupergraphSdl(), subgraphsUrl))
  const port = await findFreePort()
  const config = fileURLToPath(new URL('./hive.config.ts', import.meta.url))
  const cli = new URL('../node_modules/@graphql-hive/gateway/dist/bin.js', import.meta.url).href
  process.argv.splice(2, process.argv.length, 'supergraph', supergraph, '--hive-router-runtime')
  process.argv.push('--config-path', config, '--host', '127.0.0.1', '--port', String(port), '--fork', '1')
  // Not installed with the rest, so its types are not there to check against.
  await import(cli)
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) await sleep(READY_INTERVAL_MS)
  return { ready: { url: `${url}/graphql` }, close: () => rm(dir, { recursive: true, force: true }) }
})

/** The committed supergraph names its subgraphs `nuvion:<name>`; Hive wants addresses there. */
function addressSubgraphs(supergraphSdl: string, subgraphsUrl: string): string {
  return SUBGRAPH_NAMES.reduce(
    (sdl, name) => sdl.replace(`"nuvion:${name}"`, `"${subgraphsUrl}/${name}/graphql"`),
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

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readiness`)).ok
  } catch {
    return false
  }
}
