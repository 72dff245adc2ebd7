import { runPeer } from '../peer-program.ts'
import { startHive } from '../start-hive.ts'

// Its best: Hive Gateway's own command line with one worker (what is compared is CPU per request) and the settings of
// hive.config.ts, on the Hive Router runtime: the query planner in Rust with the executor made for it, which its
// documentation calls up to three times as fast as the default.
await runPeer<{ subgraphsUrl: string }, { url: string }>(async ({ subgraphsUrl }) => {
  const { host, close } = await startHive({
    config: new URL('./hive.config.ts', import.meta.url),
    addressOf: name => `${subgraphsUrl}/${name}/graphql`,
    args: ['--hive-router-runtime'],
  })
  return { ready: { url: `http://${host}/graphql` }, close }
})
