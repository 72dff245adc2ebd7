import type { DeviceDirectory } from '../shared/device-directory.ts'
import { AppError, toAppError } from '../shared/errors.ts'
import { isUuidV7 } from '../shared/uuid-v7.ts'

/**
 * Finds for each device its space, or why the caller may not see it: NOT_FOUND for one that does not exist and for one
 * of a space that is none of the caller's, alike. `requireReader` resolves when the caller may read a space.
 */
export async function findReadableSpaces(
  { devices, requireReader }: { devices: DeviceDirectory; requireReader: (spaceId: string) => Promise<void> },
  deviceIds: readonly string[],
): Promise<(string | AppError)[]> {
  const known = [...new Set(deviceIds.filter(isUuidV7))]
  const places = known.length === 0 ? new Map() : await devices.placesOf(known)
  const refusals = await findRefusals(
    requireReader,
    [...places.values()].map(place => place.spaceId),
  )
  return deviceIds.map(id => {
    const spaceId: string | undefined = places.get(id)?.spaceId
    const refusal = spaceId === undefined ? undefined : refusals.get(spaceId)
    if (spaceId === undefined || refusal?.code === 'NOT_FOUND')
      return new AppError('NOT_FOUND', 'There is no such device.')
    return refusal ?? spaceId
  })
}

/** Finds why the caller may not read spaces, by space. */
export async function findRefusals(
  requireReader: (spaceId: string) => Promise<void>,
  spaceIds: readonly string[],
): Promise<Map<string, AppError>> {
  const refusals = new Map<string, AppError>()
  await Promise.all(
    [...new Set(spaceIds)].map(spaceId =>
      requireReader(spaceId).catch(error => refusals.set(spaceId, toAppError(error))),
    ),
  )
  return refusals
}
