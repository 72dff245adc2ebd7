import { readFileSync, writeFileSync } from 'node:fs'
import { composeSupergraph } from './compose.ts'
import { readSubgraphSdl, SUBGRAPH_NAMES } from './subgraph-sdl.ts'

/**
 * Program: composes supergraph.graphql beside this file. With `--check` it writes nothing and exits 1 when the
 * committed file is stale.
 */
function main(args: readonly string[]): void {
  const file = new URL('./supergraph.graphql', import.meta.url)
  const composed = `${composeSupergraph(SUBGRAPH_NAMES.map(name => ({ name, typeDefs: readSubgraphSdl(name) })))}\n`
  if (!args.includes('--check')) writeFileSync(file, composed)
  else if (readFileSync(file, 'utf8') !== composed) {
    console.error('schema/graphql/supergraph.graphql is stale: run `npm run codegen` and commit it.')
    process.exitCode = 1
  }
}

if (import.meta.main) main(process.argv.slice(2))
