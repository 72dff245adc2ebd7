import type { BoardDevice } from '../board/board-device.ts'
import type { BoardPlace, BoardTopology } from '../board/board-rows.ts'

/** What is on the wall at one time: as many devices of a line as fit. */
export interface Slide {
  readonly line: BoardPlace | null
  readonly devices: readonly BoardDevice[]
  /** Of all of the line, not of this slide alone. */
  readonly total: number
  readonly online: number
  readonly openAnomalies: number
}

const byCode = new Intl.Collator(undefined, { numeric: true })

/** Cuts the floor into slides, line by line; of these lines alone when there are any. A line without devices has none. */
export function cutSlides(
  devices: Iterable<BoardDevice>,
  { lines }: BoardTopology,
  { perSlide, lineIds }: { perSlide: number; lineIds: readonly string[] },
): readonly Slide[] {
  const byLine = Map.groupBy(devices, ({ lineId }) => lineId)
  const shown = [...lines, null].filter(line => lineIds.length === 0 || lineIds.includes(line?.id ?? ''))
  return shown.flatMap(line => {
    const ofLine = (byLine.get(line?.id ?? null) ?? []).toSorted((a, b) => byCode.compare(a.code, b.code))
    const counts = {
      total: ofLine.length,
      online: ofLine.filter(({ isOnline }) => isOnline).length,
      openAnomalies: ofLine.reduce((sum, { openAnomalies }) => sum + openAnomalies, 0),
    }
    const slides: Slide[] = []
    for (let at = 0; at < ofLine.length; at += perSlide)
      slides.push({ line, devices: ofLine.slice(at, at + perSlide), ...counts })
    return slides
  })
}
