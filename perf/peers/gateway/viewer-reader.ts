import type { IncomingMessage } from 'node:http'
import { createTokenVerifier } from '../../../subgraphs/shared/auth/access-token.ts'
import { readSigningKeys } from '../../../subgraphs/shared/auth/signing-keys.ts'
import type { Viewer } from '../../../subgraphs/shared/auth/viewer.ts'
import type { Site } from './site.ts'

/** Reads who asks out of a request's Authorization header; the same, with the same cache, for every contestant. */
export type ReadViewer = (request: IncomingMessage) => Promise<Viewer | null>

/** Creates the product's verifier of tokens over the site's keys. */
export async function createSiteVerifier({ signingKeys }: Pick<Site, 'signingKeys'>) {
  return createTokenVerifier({ keys: await readSigningKeys({ configured: signingKeys, dataDir: '' }) })
}

/** Creates the reader for peers that have no authentication of their own. */
export async function createViewerReader(site: Pick<Site, 'signingKeys'>): Promise<ReadViewer> {
  const verifier = await createSiteVerifier(site)
  return async ({ headers: { authorization } }) =>
    authorization === undefined ? null : verifier.verify(authorization.slice('Bearer '.length))
}
