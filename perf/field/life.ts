import type { FieldLink } from './field-link.ts'

/** What a virtual user lives with. */
export interface Life {
  readonly link: FieldLink
  /** Which of its role. */
  readonly index: number
  /** Counts something among Artillery's own metrics. */
  readonly tell: (name: string, count?: number) => void
}
