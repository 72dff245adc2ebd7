import type { Summary } from './statistics.ts'

/** Says what is wrong with a ratio whose median is known worse than to `maxUncertainty`: its 95 % interval, as a share. */
export function judgeRatio(name: string, { uncertainty }: Summary, maxUncertainty: number): string[] {
  if (uncertainty <= maxUncertainty) return []
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return [
    `The median of ${name} is known to ${percent(uncertainty)} of it only; at most ${percent(maxUncertainty)}.`,
  ]
}
