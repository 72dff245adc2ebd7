import { startSyntheticCamera } from '../peers/media/synthetic-camera.ts'
import { ask, mutate } from './site-api.ts'
import type { WorldDevice } from './world/world-state.ts'

/** Devices of the world that broadcast. Dispose ends their broadcasts. */
export interface Cameras extends AsyncDisposable {
  /** None where the product has no live video. */
  readonly deviceIds: readonly string[]
  /** Why there are none; null when there are. */
  readonly missing: string | null
}

interface Ingest {
  readonly ip: string
  readonly port: number
  readonly ssrc: number
  readonly payloadType: number
}

/** Starts the broadcasts of the first `count` devices, each with 1.5 Mbit/s of RTP that nobody can decode. */
export async function startCameras(
  url: string,
  devices: readonly WorldDevice[],
  count: number,
): Promise<Cameras> {
  const stops: (() => Promise<void>)[] = []
  const deviceIds: string[] = []
  const close = async () => {
    for (const stop of stops.reverse()) await stop()
  }
  try {
    for (const { deviceId, credential } of devices.slice(0, count)) {
      const input = { deviceId, credential }
      const { token } = await mutate<{ token: string }>(url, null, 'deviceToken', input, 'token')
      const { ingest } = await mutate<{ ingest: Ingest }>(
        ...([
          url,
          token,
          'startBroadcast',
          { deviceId, kind: 'RTP' },
          'ingest { ip port ssrc payloadType }',
        ] as const),
      )
      const stopCamera = startSyntheticCamera(ingest)
      deviceIds.push(deviceId)
      stops.push(async () => {
        stopCamera()
        const query =
          'mutation ($input: StopBroadcastInput!) { stopBroadcast(input: $input) { userErrors { code } } }'
        await ask(url, token, query, { input: { deviceId } }).catch(() => {})
      })
    }
    return { deviceIds, missing: null, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    const missing = error instanceof Error ? error.message : String(error)
    return { deviceIds: [], missing, async [Symbol.asyncDispose]() {} }
  }
}
