import { effect, signal } from '@preact/signals'

export type Language = 'ko' | 'en'

const STORAGE_KEY = 'nuvion.language'

/** The language of the page: what the person chose before, or else what the browser asks for. */
export const language = signal<Language>(readLanguage())

/** Keeps `<html lang>` and the stored choice as the signal says. Returns its stopper. */
export function startLanguage(): () => void {
  return effect(() => {
    document.documentElement.lang = language.value
    try {
      localStorage.setItem(STORAGE_KEY, language.value)
    } catch {
      // Storage may be forbidden: the choice then lasts as long as the page.
    }
  })
}

function readLanguage(): Language {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    if (stored === 'ko' || stored === 'en') return stored
  } catch {
    // Storage may be forbidden.
  }
  const asked = typeof navigator === 'undefined' ? 'en' : navigator.language
  return asked.toLowerCase().startsWith('ko') ? 'ko' : 'en'
}
