import { collectDefaultMetrics, Registry } from 'prom-client'

/** Registry of a process's metrics; factories that count are handed it. */
export type Metrics = Registry

/** Creates the registry of a process, with Node's own metrics when `withDefaults` (on unless said otherwise). */
export function createMetrics({
  group,
  withDefaults = true,
}: {
  group: string
  withDefaults?: boolean
}): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ group })
  if (withDefaults) collectDefaultMetrics({ register: registry })
  return registry
}
