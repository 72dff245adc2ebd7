/** How much and how often. */
export interface ReportsPlan {
  /** Anomalies of the small factory, and of the large one, over 30 days. */
  readonly small: number
  readonly large: number
  readonly report: {
    readonly rounds: number
    readonly roundMs: number
    readonly warmUpMs: number
    /** Answers in a round; a p95 of fewer is chance. */
    readonly minAnswers: number
    /** Times that the rows themselves are counted. */
    readonly rawRounds: number
  }
  readonly writer: { readonly rounds: number; readonly batches: number }
  /** `warmUps` files come first, until the memory of the process is as it stays. */
  readonly csv: { readonly rows: number; readonly warmUps: number; readonly rounds: number }
  /** How uncertain the median of a ratio may be: its 95 % interval, as a share. */
  readonly maxUncertainty: number
}

/** What figures are claimed from. */
export const FULL_PLAN: ReportsPlan = {
  small: 100_000,
  large: 10_000_000,
  report: { rounds: 24, roundMs: 2_000, warmUpMs: 5_000, minAnswers: 100, rawRounds: 3 },
  writer: { rounds: 20, batches: 10 },
  csv: { rows: 1_000_000, warmUps: 1, rounds: 3 },
  maxUncertainty: 0.1,
}

/** Shows that it works. */
export const QUICK_PLAN: ReportsPlan = {
  small: 100_000,
  large: 1_000_000,
  report: { rounds: 5, roundMs: 1_000, warmUpMs: 2_000, minAnswers: 30, rawRounds: 1 },
  writer: { rounds: 4, batches: 4 },
  csv: { rows: 200_000, warmUps: 4, rounds: 1 },
  maxUncertainty: 0.25,
}

/** People who ask at once, each over a connection that is kept. */
export const USERS = 4

/** The report whose growth is measured. */
export const REPORT_QUERY = `query Report($spaceId: ID!, $from: DateTime!, $to: DateTime!) {
  anomalyReport(spaceId: $spaceId, from: $from, to: $to, interval: DAY, timezone: "UTC", groupBy: [PROCESS]) {
    total
    rows { bucketStart process { id name } total }
  }
}`

/** The link of a file. */
export const EXPORT_MUTATION = `mutation Export($input: ExportReportInput!) {
  exportReport(input: $input) { url userErrors { message } }
}`
