import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { createTokenSigner } from '../../../subgraphs/shared/auth/access-token.ts'
import { TOKEN_ALGORITHM } from '../../../subgraphs/shared/auth/key-set.ts'
import { readSigningKeys } from '../../../subgraphs/shared/auth/signing-keys.ts'
import { newId } from '../../../subgraphs/shared/uuid-v7.ts'
import { runPeer } from '../peer-program.ts'

/** What the contestants of a group share, and who follows. Its tokens are good for 15 minutes. */
export interface FanoutSite {
  /** JWK set with its private key, made for this run. */
  readonly signingKeys: string
  /** Secret between the gateway and its subgraphs. */
  readonly internalSecret: string
  /** File with a JSON array of access tokens, each of another user. */
  readonly tokensFile: string
  /** As many as the feed has topics; each contestant of a shared subgraph follows one of its own. */
  readonly spaceIds: readonly string[]
  /** The subscription that is measured; its variable is `spaceId`. */
  readonly query: string
}

/** An event of the events subgraph whose device, and the device's line, are the device subgraph's. */
const QUERY = `subscription Logs($spaceId: ID!) {
  logAdded(spaceId: $spaceId) { id level message device { id name online line { name } } }
}`

const SPACES = 2

await runPeer<{ users: number }, FanoutSite>(async ({ users }) => {
  const dir = await mkdtemp(join(tmpdir(), 'nuvion-perf-fanout-'))
  const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true })
  const signingKeys = JSON.stringify({ keys: [await exportJWK(privateKey)] })
  const signer = createTokenSigner({ keys: await readSigningKeys({ configured: signingKeys, dataDir: dir }) })
  const tokens: string[] = []
  for (let i = 0; i < users; i++)
    tokens.push((await signer.signUser({ userId: newId(), sessionId: newId() })).token)
  const tokensFile = join(dir, 'tokens.json')
  await writeFile(tokensFile, JSON.stringify(tokens))
  return {
    ready: {
      signingKeys,
      internalSecret: newId(),
      tokensFile,
      spaceIds: Array.from({ length: SPACES }, newId),
      query: QUERY,
    },
    close: () => rm(dir, { recursive: true, force: true }),
  }
})
