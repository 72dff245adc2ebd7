import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { GraphQLError, parse } from 'graphql'
import { z } from 'zod'

const content = z.union([z.record(z.string().min(1), z.string()), z.array(z.string())])

/**
 * Reads the documents that may run from a JSON file: an object of texts by id (a SHA-256 as graphql-codegen and Relay
 * write it, or any other), or a list of texts, whose ids are their SHA-256 in hexadecimal.
 *
 * Rejects when the file is not that, or a text is not GraphQL, naming the first ten at fault.
 */
export async function readPersistedDocuments(path: string): Promise<ReadonlyMap<string, string>> {
  const parsed = content.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (!parsed.success)
    throw new Error('The file is neither a JSON object of documents by id nor a list of documents.')
  const documents = new Map(
    Array.isArray(parsed.data)
      ? parsed.data.map(text => [createHash('sha256').update(text).digest('hex'), text])
      : Object.entries(parsed.data),
  )
  const mistakes = [...documents].flatMap(([id, text]) => findMistake(id, text))
  if (mistakes.length > 0) throw new Error(mistakes.slice(0, 10).join('\n  '))
  return documents
}

function findMistake(id: string, text: string): string[] {
  try {
    parse(text)
    return []
  } catch (error) {
    if (error instanceof GraphQLError) return [`${id}: ${error.message}`]
    throw error
  }
}
