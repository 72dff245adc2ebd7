import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** Characters of all documents that are kept together; parsed and planned they take a hundred times as many bytes. */
const MAX_KEPT_TEXT = 1_048_576

/** Creates a cache of documents that is bounded by their number and by their text; what was not used for longest goes. */
export function createDocumentCache(maxDocuments: number): LRUCache<string, DocumentNode> {
  return new LRUCache({
    max: maxDocuments,
    maxSize: MAX_KEPT_TEXT,
    sizeCalculation: ({ loc }) => Math.max(1, loc?.source.body.length ?? MAX_KEPT_TEXT),
  })
}
