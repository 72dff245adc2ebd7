import { changeKeyFile, readKeyFile, stampKeyFile } from '../shared/auth/key-file.ts'
import { createSetKey, findSigningKey, pruneKeys, rotateKeys, type SetKey } from '../shared/auth/key-set.ts'
import { OpsError, type OpsSite } from './ops-command.ts'

/**
 * `keys list | rotate [--now] | prune`: the signing keys in the data folder, which the processes of the site follow. Lists
 * what is kept afterwards, never a private half.
 */
export async function runKeysCommand(
  [action = '', ...options]: readonly string[],
  { config, print }: OpsSite,
): Promise<void> {
  const isNow = options[0] === '--now'
  if (options.length > (isNow ? 1 : 0) || (isNow && action !== 'rotate'))
    throw new OpsError(`keys ${action} does not take ${options.join(' ')}.`)
  if (config.signingKeys !== null)
    throw new OpsError(
      'NUVION_SIGNING_KEYS is set, so the keys are kept where it comes from: change them there, on all roles.',
    )
  const change = changeOf(action, isNow)
  const { dataDir } = config
  // None is made here: a key in the wrong folder would look as if it had been changed.
  if ((await stampKeyFile(dataDir)) === null)
    throw new Error(`There are no signing keys in ${dataDir}: set NUVION_DATA to the folder of the site.`)
  const kept = await (change === null ? readKeyFile(dataDir) : changeKeyFile(dataDir, change))
  for (const line of describeKeys(kept, Date.now())) print(line)
}

type Change = (keys: readonly SetKey[]) => Promise<readonly SetKey[]>

function changeOf(action: string, isNow: boolean): Change | null {
  switch (action) {
    case 'list':
      return null
    case 'rotate':
      return isNow
        ? async () => [await createSetKey(Date.now())]
        : async keys => rotateKeys(pruneKeys(keys, Date.now()), Date.now())
    case 'prune':
      return async keys => pruneKeys(keys, Date.now())
    default:
      throw new OpsError(`There is no keys ${action}.`)
  }
}

/** A line a key: its id, what it does now, and when that changes. */
function describeKeys(keys: readonly SetKey[], now: number): string[] {
  const signing = findSigningKey(keys, now)
  return keys.map(key => `${key.kid}  ${describeState(key, key === signing, now)}`)
}

function describeState({ d, signsFrom, verifiesUntil }: SetKey, isSigning: boolean, now: number): string {
  const until = Number.isFinite(verifiesUntil) ? ` until ${new Date(verifiesUntil).toISOString()}` : ''
  if (verifiesUntil <= now) return `over since ${new Date(verifiesUntil).toISOString()}`
  if (isSigning) {
    const since = Number.isFinite(signsFrom) ? ` since ${new Date(signsFrom).toISOString()}` : ''
    return `signs${since}, verifies${until}`
  }
  if (d !== undefined && signsFrom > now)
    return `verifies${until}, signs from ${new Date(signsFrom).toISOString()}`
  return `verifies${until}`
}
