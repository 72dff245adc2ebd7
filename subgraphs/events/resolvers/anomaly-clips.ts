import { readPage } from '../../shared/graphql/connection.ts'
import type { AnomalyResolvers } from '../resolver-types.generated.ts'

/** What an anomaly's occurrences show. Whoever may see the anomaly may see them. */
export const anomalyClips = {
  clip: async (anomaly, _, { clips }) => (await clips.ofAnomaly.load({ anomaly, limit: 1 }))[0] ?? null,
  clips(anomaly, { first }, { clips }) {
    const { size } = readPage({ first }, { cursorShape: { kind: 'clip', parts: ['id'] } })
    return clips.ofAnomaly.load({ anomaly, limit: size })
  },
} satisfies AnomalyResolvers
