import { useState } from 'preact/hooks'
import { asRequestError } from '../../graphql/request-error.ts'
import { request } from '../../graphql/session.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { findUserErrors } from '../../graphql/user-problem.ts'
import { Button } from '../../ui/button.tsx'
import { userErrorText } from '../../ui/form-errors.tsx'
import { showToast } from '../../ui/toast.tsx'
import { UnwatchDeviceDocument, WatchDeviceDocument, WatchesOfMineDocument } from './device.generated.ts'
import { messages } from './messages.ts'

/** Puts a device into the person's feed, or takes it out. */
export function WatchButton({ deviceId }: { deviceId: string }) {
  const { data, reload } = useQuery(WatchesOfMineDocument, {})
  const [isBusy, setBusy] = useState(false)
  if (data === undefined) return null
  const isWatched = data.watches.some(
    ({ target }) => target?.__typename === 'Device' && target.id === deviceId,
  )
  const toggle = async () => {
    setBusy(true)
    try {
      const input = { kind: 'DEVICE', id: deviceId } as const
      const { data: done } = isWatched
        ? await request(UnwatchDeviceDocument, { input })
        : await request(WatchDeviceDocument, { input })
      const [problem] = findUserErrors(done)
      if (problem !== undefined) showToast('error', userErrorText(problem))
      else if (!isWatched) showToast('success', messages.watched)
      await reload()
    } catch (error) {
      showToast('error', asRequestError(error).text)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="eye" isBusy={isBusy} aria-pressed={isWatched} onClick={() => void toggle()}>
      {isWatched ? messages.unwatch : messages.watch}
    </Button>
  )
}
