import { useSpace } from '../../app/space-context.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { SettingsFloorDocument, type SettingsFloorQuery } from './settings.generated.ts'

type Found = NonNullable<SettingsFloorQuery['space']>

export type FloorLine = Found['lines'][number]
export type FloorProcess = Found['processes'][number]

/** Lines and processes of the space, in the order of the floor. */
export function useFloor() {
  const { id: spaceId } = useSpace()
  const query = useQuery(SettingsFloorDocument, { spaceId })
  return {
    lines: query.data?.space?.lines ?? [],
    processes: query.data?.space?.processes ?? [],
    isLoaded: query.data !== undefined,
    error: query.error,
    reload: query.reload,
  }
}
