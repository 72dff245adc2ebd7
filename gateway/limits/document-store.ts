import type { DocumentNode } from 'graphql'
import { createDocumentCache } from '../execution/document-cache.ts'

/** Where Apollo Server keeps documents that it has parsed and validated, by the hash of their text. */
export interface DocumentStore {
  get(key: string): Promise<DocumentNode | undefined>
  set(key: string, document: DocumentNode): Promise<void>
  delete(key: string): Promise<boolean>
}

/** Creates a store of the `maxDocuments` that were used last. Apollo's own counts bytes, and keeps 30 MiB of them. */
export function createDocumentStore(maxDocuments: number): DocumentStore {
  const documents = createDocumentCache(maxDocuments)
  return {
    get: async key => documents.get(key),
    set: async (key, document) => void documents.set(key, document),
    // The schema does not change while the server runs.
    delete: async () => false,
  }
}
