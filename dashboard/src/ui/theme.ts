import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'nuvion.theme'

/** Theme of the page: what the person chose before, or else what the system says. */
export const theme = signal<Theme>(readTheme())

/** Keeps `<html data-theme>` and the stored choice as the signal says. Returns its stopper. */
export function startTheme(): () => void {
  return effect(() => {
    const { dataset } = document.documentElement
    if (theme.value === 'system') delete dataset.theme
    else dataset.theme = theme.value
    try {
      localStorage.setItem(STORAGE_KEY, theme.value)
    } catch {
      // Storage may be forbidden: the choice then lasts as long as the page.
    }
  })
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    if (stored === 'light' || stored === 'dark') return stored
  } catch {
    // Storage may be forbidden.
  }
  return 'system'
}
