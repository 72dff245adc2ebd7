/** How grave an anomaly is, from the least to the greatest. */
export const SEVERITIES = ['INFO', 'MINOR', 'MAJOR', 'CRITICAL'] as const

/** How grave an anomaly is. */
export type Severity = (typeof SEVERITIES)[number]
