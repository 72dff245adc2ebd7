/**
 * Runs each contestant once a round, one after another, and keeps what each round gave, by contestant.
 *
 * Every other round goes backwards, so that nobody always follows the same neighbour and a slow drift of the machine
 * (heat, another tenant) cancels out.
 */
export async function interleave<Contestant, Sample>(
  contestants: readonly Contestant[],
  rounds: number,
  run: (contestant: Contestant, round: number) => Promise<Sample>,
): Promise<Map<Contestant, Sample[]>> {
  const samples = new Map<Contestant, Sample[]>(contestants.map(contestant => [contestant, []]))
  for (let round = 0; round < rounds; round++) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed())
      samples.get(contestant)?.push(await run(contestant, round))
  }
  return samples
}
