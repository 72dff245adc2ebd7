/** Where a row's events happened, by id; null where that is not told apart. */
interface Placed {
  readonly lineId: string | null
  readonly processId: string | null
  readonly deviceId: string | null
}

/** Entities of a row; whoever owns them tells more. */
export const ReportRow = {
  line: ({ lineId }: Placed) => referTo(lineId),
  process: ({ processId }: Placed) => referTo(processId),
  device: ({ deviceId }: Placed) => referTo(deviceId),
}

function referTo(id: string | null): { id: string } | null {
  return id === null ? null : { id }
}
