import type { DocumentNode } from 'graphql'
import { createBoundedCache } from '../../subgraphs/shared/bounded-cache.ts'

/** Where Apollo Server keeps documents that it has parsed and validated, by the hash of their text. */
export interface DocumentStore {
  get(key: string): Promise<DocumentNode | undefined>
  set(key: string, document: DocumentNode): Promise<void>
  delete(key: string): Promise<boolean>
}

/** Documents of longer texts are not kept, so that the store is bounded in bytes too. */
const MAX_KEPT_QUERY_LENGTH = 16_384

/** Creates a store of the `maxDocuments` that were used last. Apollo's own counts bytes, and keeps 30 MiB of them. */
export function createDocumentStore(maxDocuments: number): DocumentStore {
  const documents = createBoundedCache<string, DocumentNode>(maxDocuments)
  return {
    get: async key => documents.get(key),
    async set(key, document) {
      if ((document.loc?.source.body.length ?? 0) <= MAX_KEPT_QUERY_LENGTH) documents.set(key, document)
    },
    // The schema does not change while the server runs.
    delete: async () => false,
  }
}
