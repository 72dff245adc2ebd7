import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './anomaly-detail.module.css'
import { messages } from './messages.ts'

/** Where a comment is written: sent alone, or with the resolution. What is not sent is told to `onDraft`. */
export function CommentComposer({
  draft,
  onDraft,
  asks,
  isBusy,
  problem,
  onSend,
  onResolve,
}: {
  draft: string
  onDraft: (text: string) => void
  /** Takes the focus when it rises. */
  asks: number
  isBusy: boolean
  problem: string | undefined
  /** Answers whether it was sent. */
  onSend: (body: string) => Promise<boolean>
  /** Left out where there is nothing to resolve. */
  onResolve: ((body: string) => Promise<boolean>) | undefined
}) {
  const [text, setText] = useState(draft)
  const root = useRef<HTMLFormElement>(null)
  const heard = useRef(0)
  useEffect(() => {
    if (asks === 0 || asks === heard.current) return
    heard.current = asks
    root.current?.querySelector('textarea')?.focus()
  }, [asks])
  const write = (next: string) => {
    setText(next)
    onDraft(next)
  }
  const finish = async (work: (body: string) => Promise<boolean>) => {
    const body = text.trim()
    if (body !== '' && !isBusy && (await work(body))) write('')
  }
  return (
    <form
      ref={root}
      class={styles.composer}
      onSubmit={event => {
        event.preventDefault()
        void finish(onSend)
      }}
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          void finish(onSend)
        } else if (event.key === 'Escape' && event.target instanceof HTMLElement) {
          event.preventDefault()
          event.target.blur()
        }
      }}
    >
      <TextField
        label={messages.writeComment}
        rows={3}
        value={text}
        onValue={write}
        error={problem}
        hint={messages.sendHint}
      />
      <div class={styles.buttons}>
        {onResolve !== undefined && text.trim() !== '' && (
          <Button size="small" icon="check" onClick={() => void finish(onResolve)}>
            {messages.resolveWithIt}
          </Button>
        )}
        <Button size="small" variant="primary" type="submit" icon="comment" isBusy={isBusy}>
          {messages.send}
        </Button>
      </div>
    </form>
  )
}
