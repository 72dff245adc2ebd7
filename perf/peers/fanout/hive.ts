import { runPeer } from '../peer-program.ts'
import { startHive } from '../start-hive.ts'
import type { FanoutOptions, FanoutReady } from './ours.ts'

// Its best: its own command line with one worker (what is compared is CPU per event) and the settings of hive.config.ts,
// on the Hive Router runtime, which takes half of what the default one takes; subscriptions at the subgraph over
// graphql-ws, the transport that keeps one connection open for all events of a user.
await runPeer<FanoutOptions, FanoutReady>(async ({ subgraphsUrl }) => {
  const { host, close } = await startHive({
    config: new URL('./hive.config.ts', import.meta.url),
    addressOf: name => `${subgraphsUrl}/public/${name}`,
    args: ['--hive-router-runtime'],
  })
  return { ready: { url: `ws://${host}/graphql`, feedPort: null }, close }
})
