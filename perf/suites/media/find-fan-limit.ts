import type { BareReady } from '../../peers/media/bare.ts'
import type { FanResult } from '../../peers/media/bare-fan.ts'
import type { Program } from '../../runner/program.ts'
import { MAX_LOSS, type MediaPlan } from './media-plan.ts'

/** One number of viewers that was tried. */
export interface FanTry {
  readonly viewers: number
  /** Share of the packets. */
  readonly loss: number
  /** Of one core, by the worker that sends. */
  readonly senderShare: number
}

/** Viewers that a bare worker serves before packets are lost. */
export interface FanLimit {
  /** The most that lost nothing to speak of; 0 when the first try did. */
  readonly viewers: number
  /** False when the most that may be tried lost nothing: the limit is higher. */
  readonly isReached: boolean
  readonly tries: readonly FanTry[]
}

/** Doubles until packets are lost, and halves the gap then, within the plan's steps. It ends early with workers that do not answer. */
export async function findFanLimit(
  bare: Program<BareReady>,
  { from, most, steps, ms }: MediaPlan['fan'],
): Promise<FanLimit> {
  const tries: FanTry[] = []
  let [good, bad] = [0, Number.POSITIVE_INFINITY]
  let viewers = from
  for (let step = 0; step < steps && viewers > good && viewers < bad; step++) {
    const answer = await bare.ask(JSON.stringify({ viewers, ms })).catch(() => null)
    if (answer === null) {
      // Workers too busy to answer are past their limit, and cannot be asked again.
      tries.push({ viewers, loss: 1, senderShare: Number.NaN })
      bad = viewers
      break
    }
    const { received, lost, senderCpuMs } = answer as FanResult
    const loss = received > 0 ? Math.max(0, lost) / (received + Math.max(0, lost)) : 1
    tries.push({ viewers, loss, senderShare: senderCpuMs / ms })
    if (loss <= MAX_LOSS) good = viewers
    else bad = viewers
    viewers = bad === Number.POSITIVE_INFINITY ? Math.min(most, good * 2) : Math.round((good + bad) / 2)
  }
  return { viewers: good, isReached: bad !== Number.POSITIVE_INFINITY, tries }
}
