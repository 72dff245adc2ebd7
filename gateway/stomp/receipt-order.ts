/** A frame that is being dealt with. */
export interface PendingFrame {
  readonly receiptId: string | undefined
  isDone: boolean
}

/** Keeps RECEIPTs in the order of their frames, though what they wait for may end in another. */
export interface ReceiptOrder {
  /** Frames that are begun and not answered. */
  readonly size: number
  begin(receiptId: string | undefined): PendingFrame
  /** Marks a frame as done and answers it, and those behind it that wait only for it. */
  finish(frame: PendingFrame): void
}

/** Creates the order of a session; `answer` is called once per frame that has a receipt id. */
export function createReceiptOrder(answer: (receiptId: string) => void): ReceiptOrder {
  const pending: PendingFrame[] = []
  return {
    get size() {
      return pending.length
    },
    begin(receiptId) {
      const frame = { receiptId, isDone: false }
      pending.push(frame)
      return frame
    },
    finish(frame) {
      frame.isDone = true
      let answered = 0
      for (const next of pending) {
        if (!next.isDone) break
        answered++
      }
      for (const next of pending.splice(0, answered)) if (next.receiptId !== undefined) answer(next.receiptId)
    },
  }
}
