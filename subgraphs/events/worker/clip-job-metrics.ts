import { Counter } from 'prom-client'
import type { Metrics } from '../../shared/metrics.ts'

/** What the jobs of clips count. */
export type ClipJobMetrics = ReturnType<typeof createClipJobMetrics>

/** Registers the metrics of the jobs of clips; once per registry. */
export function createClipJobMetrics(metrics: Metrics) {
  const registers = [metrics]
  return {
    deleted: new Counter({
      name: 'nuvion_worker_clips_deleted_total',
      help: 'Clips and objects deleted, by why. Rising pending: devices request clips and never complete them; orphan: processes die while they complete, or the database was restored to an older state.',
      labelNames: ['what'] as const,
      registers,
    }),
    posters: new Counter({
      name: 'nuvion_worker_posters_total',
      help: 'Videos of which a poster was taken, by outcome. Rising failed: devices upload videos that ffmpeg cannot read.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    runs: new Counter({
      name: 'nuvion_worker_clip_jobs_total',
      help: 'Runs of the jobs of clips, by job and outcome. Rising failed: the database or the object storage cannot be reached; done not rising in any worker: nobody does the job.',
      labelNames: ['job', 'outcome'] as const,
      registers,
    }),
  }
}
