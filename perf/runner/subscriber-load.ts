import { readFileSync } from 'node:fs'
import { openCrowd, type Pace, type SubscriberCrowd } from './subscriber-crowd.ts'
import type { CrowdPlace } from './subscribers.ts'

/** What the runner asks of this process. */
export type CrowdCommand =
  | { readonly kind: 'open'; readonly name: string; readonly place: CrowdPlace }
  | { readonly kind: 'run'; readonly name: string; readonly pace: Pace }
  | { readonly kind: 'close'; readonly name: string }

const crowds = new Map<string, SubscriberCrowd>()

async function obey(command: CrowdCommand): Promise<object> {
  if (command.kind === 'open') {
    const { tokensFile, subscribers, firstToken = 0, ...place } = command.place
    const tokens = (JSON.parse(readFileSync(tokensFile, 'utf8')) as string[]).slice(
      firstToken,
      firstToken + subscribers,
    )
    if (tokens.length < subscribers)
      throw new TypeError(`Expected ${subscribers} tokens, got ${tokens.length}.`)
    const crowd = await openCrowd({ ...place, tokens })
    crowds.set(command.name, crowd)
    return { sample: crowd.sample }
  }
  const crowd = crowds.get(command.name)
  if (crowd === undefined) throw new TypeError(`Expected an open crowd, got ${command.name}.`)
  if (command.kind === 'close') {
    crowd.close()
    crowds.delete(command.name)
    return {}
  }
  const before = process.cpuUsage()
  const result = await crowd.run(command.pace)
  const { user, system } = process.cpuUsage(before)
  return { ...result, generatorCpuMs: (user + system) / 1_000 }
}

process.on('message', async (command: CrowdCommand) => {
  try {
    process.send?.({ result: await obey(command) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) })
  }
})
process.once('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole terminal group; this one ends with the runner.
process.on('SIGINT', () => {})
process.send?.('ready')
