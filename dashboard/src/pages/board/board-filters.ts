import { useUrlState } from '../../app/url-state.ts'
import type { DeviceStatus } from '../../graphql/schema-types.generated.ts'

/** Which devices are shown, and in which order. An empty text: any. */
export interface BoardFilters {
  readonly text: string
  readonly lineId: string
  readonly processId: string
  readonly status: DeviceStatus | ''
  readonly presence: 'online' | 'offline' | ''
  readonly isWithAnomalies: boolean
  readonly order: 'code' | 'name' | 'urgency'
}

/** How the floor is drawn. */
export type BoardDensity = 'comfortable' | 'dense'

const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string) =>
    values.find(value => value === text)

const anyText = (text: string) => text

/** The filters of the address, and what changes one of them. */
export function useBoardFilters() {
  const [text, setText] = useUrlState('q', anyText, '')
  const [lineId, setLineId] = useUrlState('line', anyText, '')
  const [processId, setProcessId] = useUrlState('process', anyText, '')
  const [status, setStatus] = useUrlState<BoardFilters['status']>(
    'status',
    oneOf('RUNNING', 'IDLE', 'STOPPED', 'ERROR', 'UNKNOWN'),
    '',
  )
  const [presence, setPresence] = useUrlState<BoardFilters['presence']>(
    'presence',
    oneOf('online', 'offline'),
    '',
  )
  const [isWithAnomalies, setWithAnomalies] = useUrlState(
    'anomalies',
    value => (value === 'true' ? true : undefined),
    false,
  )
  const [order, setOrder] = useUrlState<BoardFilters['order']>(
    'order',
    oneOf('code', 'name', 'urgency'),
    'code',
  )
  const [density, setDensity] = useUrlState<BoardDensity>(
    'density',
    oneOf('comfortable', 'dense'),
    'comfortable',
  )
  const filters: BoardFilters = { text, lineId, processId, status, presence, isWithAnomalies, order }
  return {
    ...{ filters, density },
    ...{ setText, setLineId, setProcessId, setStatus, setPresence, setWithAnomalies, setOrder, setDensity },
  }
}
