import { parseArgs } from 'node:util'
import { OpsError } from './ops-command.ts'

/** What `dead-letters` is asked to do. */
export type DeadLetterArguments = { readonly isJson: boolean } & (
  | { readonly action: 'list'; readonly before: string | null; readonly limit: number }
  | { readonly action: 'show'; readonly id: string }
  | { readonly action: 'replay' | 'drop'; readonly ids: readonly string[] | 'all' }
)

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

/** Reads what follows `dead-letters`; throws OpsError on what it does not understand. */
export function parseDeadLetterArguments(args: readonly string[]): DeadLetterArguments {
  const { action, ids, values } = split(args)
  const { json: isJson = false, all: isAll = false, before, limit } = values
  if (action !== 'list' && (before !== undefined || limit !== undefined))
    throw new OpsError(`dead-letters ${action} takes no --before and no --limit.`)
  for (const id of before === undefined ? ids : [before, ...ids])
    if (!/^\d{1,15}-\d{1,15}$/.test(id)) throw new OpsError(`${id} is not the id of a dead letter.`)
  if (isAll && action !== 'replay' && action !== 'drop')
    throw new OpsError(`dead-letters ${action} takes no --all.`)
  switch (action) {
    case 'list':
      if (ids.length > 0) throw new OpsError('dead-letters list takes no ids.')
      return { action, isJson, before: before ?? null, limit: readLimit(limit) }
    case 'show': {
      const [id] = ids
      if (id === undefined || ids.length > 1) throw new OpsError('dead-letters show takes one id.')
      return { action, isJson, id }
    }
    case 'replay':
    case 'drop':
      if (isAll === ids.length > 0) throw new OpsError(`dead-letters ${action} takes ids, or --all.`)
      return { action, isJson, ids: isAll ? 'all' : [...new Set(ids)] }
    default:
      throw new OpsError(`There is no dead-letters ${action}.`)
  }
}

function split(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        all: { type: 'boolean' },
        before: { type: 'string' },
        limit: { type: 'string' },
      },
    })
    const [action = '', ...ids] = positionals
    return { action, ids, values }
  } catch (error) {
    throw new OpsError(error instanceof Error ? error.message : String(error))
  }
}

function readLimit(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new OpsError(`--limit is a number from 1 to ${MAX_LIMIT}, not ${text}.`)
  return limit
}
