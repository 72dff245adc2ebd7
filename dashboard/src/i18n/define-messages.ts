import { language } from './language.ts'

type Message = string | ((...args: never[]) => string)
type Texts<M> = {
  [K in keyof M]: M[K] extends (...args: infer A) => string ? (...args: A) => string : string
}

/**
 * Texts of a page in both languages. Reading a key gives the text (or the function of arguments) in the language of
 * the page and subscribes the component that reads it: `messages.title`, `messages.count(3)`. The types demand the same keys
 * and arguments of both.
 */
export function defineMessages<M extends Record<string, Message>>(texts: {
  en: M
  ko: Texts<NoInfer<M>>
}): Readonly<Texts<M>> {
  const messages = {}
  for (const key of Object.keys(texts.en))
    Object.defineProperty(messages, key, {
      enumerable: true,
      get: () => texts[language.value][key as keyof M],
    })
  return messages as Readonly<Texts<M>>
}
