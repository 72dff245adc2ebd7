import { type FactoryPace, paceFactory } from './factory-pace.ts'
import { type DevicesOptions, type Flood, openStompDevices, type StompDevices } from './stomp-devices.ts'

/** What the runner asks of this process. */
export type StompCommand =
  | { readonly kind: 'open'; readonly name: string; readonly options: DevicesOptions }
  | { readonly kind: 'flood'; readonly name: string; readonly flood: Flood }
  | { readonly kind: 'pace'; readonly name: string; readonly pace: FactoryPace }
  | { readonly kind: 'close'; readonly name: string }

const groups = new Map<string, StompDevices>()

async function obey(command: StompCommand): Promise<object> {
  if (command.kind === 'open') {
    groups.set(command.name, await openStompDevices(command.options))
    return {}
  }
  const devices = groups.get(command.name)
  if (devices === undefined) throw new TypeError(`Expected open devices, got ${command.name}.`)
  if (command.kind === 'close') {
    devices.close()
    groups.delete(command.name)
    return {}
  }
  const [before, startedAt] = [process.cpuUsage(), performance.now()]
  const result =
    command.kind === 'flood' ? await devices.flood(command.flood) : await paceFactory(devices, command.pace)
  const { user, system } = process.cpuUsage(before)
  return { ...result, generatorShare: (user + system) / 1_000 / (performance.now() - startedAt) }
}

process.on('message', async (command: StompCommand) => {
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
