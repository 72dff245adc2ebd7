import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { AppError } from '../../subgraphs/shared/errors.ts'
import type { MediaPort } from '../../subgraphs/shared/media-port.ts'

const CHROMIUM = '/usr/bin/chromium'

/** Whether Chromium is there; says so, loudly, when it is not. */
export const hasChromium = existsSync(CHROMIUM)
if (!hasChromium)
  console.warn(
    'SKIPPED: viewers of the tests of live video are Chromium. `apt-get install chromium` gets it.',
  )

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

/** What a viewer in a browser sees. */
export interface Sight {
  readonly width: number
  /** Decoded so far, of all the consumers that are there. */
  readonly frames: number
  readonly audioPackets: number
  readonly videoPackets: number
  readonly videoPacketsLost: number
  readonly state: string
  readonly protocol: string | null
  readonly firstFrameMs: number | null
}

/** A browser with mediasoup-client that talks to media's port. */
export interface TestBrowser {
  /** Opens a page, in which viewers and publishers can be. */
  openPage(): Promise<TestPage>
  /** Ends it without a farewell. */
  kill(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A page; sessions are told what media says of them. */
export interface TestPage {
  join(input: { deviceId: string; sessionId: string; replaces?: string; isTcpOnly?: boolean }): Promise<void>
  publish(input: { deviceId: string; sessionId: string; isSimulcast?: boolean }): Promise<void>
  restartIce(sessionId: string): Promise<void>
  look(sessionId: string): Promise<Sight | null>
  leave(sessionId: string): Promise<void>
  close(): Promise<void>
}

/** Starts Chromium and bundles the page. */
export async function startBrowser(media: MediaPort): Promise<TestBrowser> {
  const script = await bundlePage()
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response
      .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      .end(isScript ? script : '<!doctype html><script src="/page.js"></script>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const launched = await chromium.launchServer({ executablePath: CHROMIUM, args: FLAGS })
  const browser: Browser = await chromium.connect(launched.wsEndpoint())
  const stops: (() => void)[] = []

  async function close() {
    for (const stop of stops) stop()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }

  return {
    async openPage() {
      const page = await browser.newPage()
      await page.exposeFunction(
        'nuvionCall',
        async (method: string, input: unknown) => await call(media, method, input),
      )
      await page.goto(`http://127.0.0.1:${port}/`)
      stops.push(
        media.listen(event => {
          if ('sessionId' in event && !page.isClosed()) run(page, 'onEvent', event).catch(() => {})
        }),
      )
      return toTestPage(page)
    },
    async kill() {
      await close()
      await launched.kill()
    },
    async [Symbol.asyncDispose]() {
      await close()
      await browser.close().catch(() => {})
      await launched.close()
    },
  }
}

function toTestPage(page: Page): TestPage {
  return {
    join: input => run(page, 'join', input),
    publish: input => run(page, 'publish', input),
    restartIce: sessionId => run(page, 'restartIce', sessionId),
    look: sessionId => run(page, 'look', sessionId),
    leave: sessionId => run(page, 'leave', sessionId),
    close: () => page.close(),
  }
}

async function run<T>(page: Page, name: string, input: unknown): Promise<T> {
  // The text runs in the page, which has no types here.
  return (await page.evaluate(`window.nuvion.${name}(${JSON.stringify(input)})`)) as T
}

/** Calls media's port as another process would: with JSON. */
async function call(media: MediaPort, method: string, input: unknown) {
  try {
    const work = media[method as Exclude<keyof MediaPort, 'listen'>] as (input: unknown) => Promise<unknown>
    return { value: JSON.parse(JSON.stringify((await work(JSON.parse(JSON.stringify(input)))) ?? null)) }
  } catch (error) {
    return { error: error instanceof AppError ? `${error.code} ${error.message}` : String(error) }
  }
}

async function bundlePage(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'browser-page.mjs'), formats: ['iife'], name: 'page' },
    },
  })
  const [bundle] = Array.isArray(result) ? result : [result]
  if (bundle === undefined || !('output' in bundle)) throw new TypeError('Expected a bundle of the page')
  return bundle.output[0].code
}
