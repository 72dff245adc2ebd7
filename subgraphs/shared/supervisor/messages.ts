import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** Metrics of a process as they travel. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/** What a process tells its supervisor. With `socket` travels the handle of a connection. */
export type ToSupervisor =
  | { readonly type: 'ready'; readonly port: number; readonly url: string }
  | { readonly type: 'socket'; readonly head: string }
  | { readonly type: 'metrics'; readonly metrics: MetricsSnapshot }

/** What a supervisor tells its processes. With `socket` travels the handle of a connection. */
export type FromSupervisor =
  | { readonly type: 'door'; readonly port: number | null }
  | { readonly type: 'socket'; readonly head: string }
  | { readonly type: 'collect-metrics' }
  | { readonly type: 'stop' }
