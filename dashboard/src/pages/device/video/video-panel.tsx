import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../../app/space-context.ts'
import { useLive } from '../../../graphql/use-live.ts'
import { useMutation } from '../../../graphql/use-mutation.ts'
import { useQuery } from '../../../graphql/use-query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Select } from '../../../ui/select.tsx'
import { messages } from './messages.ts'
import {
  BroadcastOfDeviceDocument,
  BroadcastOfSpaceDocument,
  type BroadcastStateFragment,
  StopBroadcastDocument,
} from './video.generated.ts'
import styles from './video-panel.module.css'
import { VideoStats } from './video-stats.tsx'
import { openViewer, type Viewer } from './viewer.ts'

/** The live picture of a device, and how it comes; nothing while the device sends none. */
export function VideoPanel({ deviceId }: { deviceId: string }) {
  const { id: spaceId, viewerRole } = useSpace()
  const { data, reload, update } = useQuery(BroadcastOfDeviceDocument, { deviceId }, { isManual: true })
  useLive(
    BroadcastOfSpaceDocument,
    { spaceId },
    {
      onLoad: () => void reload(),
      onEvent: ({ broadcastChanged: { id, broadcast } }) => {
        if (id === deviceId) update(before => ({ device: before.device && { ...before.device, broadcast } }))
      },
    },
  )
  const broadcast = data?.device?.broadcast ?? null
  if (broadcast === null || broadcast.status === 'ENDED') return null
  return (
    <Panel
      title={messages.title}
      actions={
        <span class={styles.meta}>
          <StatusBadge broadcast={broadcast} />
          <span>{messages.viewers(broadcast.viewerCount)}</span>
          {viewerRole !== null && viewerRole !== 'VIEWER' && <EndButton deviceId={deviceId} />}
        </span>
      }
    >
      {broadcast.problem !== null && <p class={styles.problem}>{broadcast.problem.message}</p>}
      <Player key={broadcast.id} deviceId={deviceId} broadcast={broadcast} />
    </Panel>
  )
}

function StatusBadge({ broadcast: { status } }: { broadcast: BroadcastStateFragment }) {
  const texts = {
    LIVE: messages.live,
    STARTING: messages.starting,
    STALLED: messages.stalled,
    ENDED: messages.ended,
  }
  return <Badge tone={status === 'LIVE' ? 'good' : 'warning'}>{texts[status]}</Badge>
}

function EndButton({ deviceId }: { deviceId: string }) {
  const [isAsking, setAsking] = useState(false)
  const { run } = useMutation(StopBroadcastDocument)
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {messages.endBroadcast}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={messages.endBroadcast}
          text={messages.endBroadcastText}
          confirmLabel={messages.endBroadcast}
          isDangerous
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await run({ input: { deviceId } })
            setAsking(false)
          }}
        />
      )}
    </>
  )
}

function Player({ deviceId, broadcast }: { deviceId: string; broadcast: BroadcastStateFragment }) {
  const viewer = useSignal<Viewer | null>(null)
  useEffect(() => {
    viewer.value = openViewer(deviceId)
    return () => viewer.peek()?.close()
  }, [deviceId])
  const open = () => {
    viewer.peek()?.close()
    viewer.value = openViewer(deviceId)
  }
  if (viewer.value === null) return null
  return <Screen viewer={viewer.value} broadcast={broadcast} onOpen={open} />
}

function Screen({
  viewer,
  broadcast,
  onOpen,
}: {
  viewer: Viewer
  broadcast: BroadcastStateFragment
  onOpen: () => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [isMuted, setMuted] = useState(true)
  const [hasStats, setStats] = useState(false)
  useSignalEffect(() => {
    const element = video.current
    const stream = viewer.stream.value
    if (element === null) return
    element.srcObject = stream
    // Refused while it is not muted and nobody has pressed anything.
    if (stream !== null) void element.play().catch(() => setMuted(true))
  })
  const state = viewer.state.value
  const isPlaying = state === 'playing'
  const isOver = state === 'off' || state === 'closed' || state === 'replaced' || state === 'forbidden'
  return (
    <>
      <div ref={frame} class={styles.frame} data-state={state}>
        <video
          ref={video}
          class={styles.video}
          muted={isMuted}
          autoplay
          playsInline
          aria-label={messages.title}
        />
        {!isPlaying && (
          <div class={styles.cover} role="status">
            <p>{messages[state]}</p>
            {isOver && state !== 'forbidden' && (
              <Button variant="primary" icon="play" onClick={onOpen}>
                {state === 'replaced' ? messages.watchHere : messages.watch}
              </Button>
            )}
          </div>
        )}
      </div>
      <div class={styles.controls}>
        {!isOver && <IconButton icon="pause" label={messages.stop} onClick={() => viewer.close()} />}
        {broadcast.audioCodec !== null && (
          <Button size="small" onClick={() => setMuted(before => !before)}>
            {isMuted ? messages.unmute : messages.mute}
          </Button>
        )}
        <QualitySelect viewer={viewer} />
        <Button size="small" onClick={() => setStats(before => !before)} aria-pressed={hasStats}>
          {messages.showStats}
        </Button>
        <span class={styles.space} />
        {document.pictureInPictureEnabled && (
          <IconButton
            icon="external"
            label={messages.pictureInPicture}
            onClick={() => void video.current?.requestPictureInPicture().catch(() => {})}
          />
        )}
        <IconButton
          icon="expand"
          label={messages.fullscreen}
          onClick={() => void frame.current?.requestFullscreen().catch(() => {})}
        />
      </div>
      {hasStats && <VideoStats viewer={viewer} broadcast={broadcast} />}
    </>
  )
}

function QualitySelect({ viewer }: { viewer: Viewer }) {
  const { count } = viewer.layers.value
  const [wanted, setWanted] = useState('')
  if (count < 2) return null
  return (
    <Select
      label={messages.quality}
      isLabelHidden
      value={wanted}
      options={[
        { value: '', label: messages.best },
        ...Array.from({ length: count }, (_, at) => ({ value: String(at), label: messages.layer(at + 1) })),
      ]}
      onValue={value => {
        setWanted(value)
        void viewer.preferLayer(value === '' ? count - 1 : Number(value)).catch(() => {})
      }}
    />
  )
}
