import { useEffect } from 'preact/hooks'

/** Keeps the screen on while the page is looked at, where the browser can (Screen Wake Lock API). */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    async function hold(): Promise<void> {
      // Refused on low battery, or where pages are not secure: the wall then needs a setting of its own.
      const held = await navigator.wakeLock?.request('screen').catch(() => undefined)
      if (isOver) void held?.release()
      else lock = held
    }
    const onVisible = () => {
      if (!document.hidden) void hold()
    }
    void hold()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', onVisible)
      void lock?.release()
    }
  }, [])
}
