import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { parseMailSender } from '../../shared/mail/mail-address.ts'
import { parseSmtpUrl } from '../../shared/mail/smtp-address.ts'
import { newId } from '../../shared/uuid-v7.ts'
import { createFileTransport } from './file-transport.ts'
import { type MailMessage, MailRefused, type MailTransport } from './mail-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'
import { TEST_CERTIFICATE } from './testing/certificate.ts'
import { startTestSmtpServer, type TestSmtpServerOptions } from './testing/smtp-server.ts'

const from = parseMailSender('누비온 <nuvion@example.com>')
const never = new AbortController().signal

const makeMessage = (changes: Partial<MailMessage> = {}): MailMessage => ({
  id: newId(),
  to: 'kim@example.com',
  subject: '[NUVION] 이메일 인증 코드 안내',
  text: '안녕하십니까. 코드는 123456입니다.\n',
  html: '<p>안녕하십니까. 코드는 <b>123456</b>입니다.</p>\n',
  locale: 'ko',
  ...changes,
})

interface Opened extends AsyncDisposable {
  transport: MailTransport
  /** Texts (RFC 5322) that have arrived. */
  read(): Promise<string[]>
}

async function openSmtp(options: TestSmtpServerOptions = {}): Promise<Opened> {
  const server = await startTestSmtpServer(options)
  const transport = createSmtpTransport({ server: parseSmtpUrl(server.url), from })
  return {
    transport,
    read: async () => server.received.map(({ raw }) => Buffer.from(raw, 'latin1').toString()),
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function openFiles({ maxFiles }: { maxFiles?: number } = {}) {
  const parent = await mkdtemp(join(tmpdir(), 'nuvion-mail-'))
  const dir = join(parent, 'mail')
  const told: string[] = []
  const transport = createFileTransport({ dir, from, tell: line => told.push(line), maxFiles })
  const list = async () => (await readdir(dir).catch(() => [] as string[])).sort()
  return {
    transport,
    dir,
    told,
    list,
    read: async () => Promise.all((await list()).map(name => readFile(join(dir, name), 'utf8'))),
    async [Symbol.asyncDispose]() {
      await transport[Symbol.asyncDispose]()
      await rm(parent, { recursive: true })
    },
  }
}

describe.each([
  { name: 'the SMTP transport', open: (): Promise<Opened> => openSmtp() },
  { name: 'the file transport', open: (): Promise<Opened> => openFiles() },
])('$name', ({ open }) => {
  it('brings a Korean mail over as it was written', async () => {
    await using opened = await open()
    const message = makeMessage()
    await opened.transport.send(message, never)
    const [raw = ''] = await opened.read()
    const mail = await PostalMime.parse(raw)
    expect(mail).toMatchObject({
      from: { name: '누비온', address: 'nuvion@example.com' },
      to: [{ name: '', address: 'kim@example.com' }],
      subject: message.subject,
      messageId: `<${message.id}@example.com>`,
    })
    expect(mail.text?.trim()).toBe(message.text.trim())
    expect(mail.html?.trim()).toBe(message.html.trim())
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({ 'content-language': 'ko', 'auto-submitted': 'auto-generated' })
  })

  it('lets no subject become a header or a body', async () => {
    await using opened = await open()
    const subject = `a\r\nBcc: eve@example.com\n\n<b>body</b>\u2028\u0000\u202e${'긴'.repeat(500)}`
    await opened.transport.send(makeMessage({ subject }), never)
    const [raw = ''] = await opened.read()
    const mail = await PostalMime.parse(raw)
    expect(mail.bcc).toBeUndefined()
    expect(raw.split(/\r?\n\r?\n/)[0]).not.toMatch(/^(bcc|<b>)/im)
    expect(mail.subject).toMatch(/^a Bcc: eve@example.com <b>body<\/b> 긴+…$/)
    expect([...(mail.subject ?? '')]).toHaveLength(150)
    for (const line of raw.split(/\r?\n/)) expect(line.length).toBeLessThanOrEqual(998)
  })

  it.each([
    'kim@example.com\r\nBcc: eve@example.com',
    'kim@example.com, eve@example.com',
    'Eve <eve@example.com>',
    '"kim@example.com> eve"@example.com',
    'kim',
    `${'k'.repeat(65)}@example.com`,
    '',
  ])('refuses the recipient %j for good and sends nothing', async to => {
    await using opened = await open()
    await expect(opened.transport.send(makeMessage({ to }), never)).rejects.toThrow(MailRefused)
    expect(await opened.read()).toEqual([])
  })

  it('sends nothing when it is told to stop before', async () => {
    await using opened = await open()
    await expect(opened.transport.send(makeMessage(), AbortSignal.abort())).rejects.toThrow()
    expect(await opened.read()).toEqual([])
  })
})

describe('the file transport', () => {
  it('says where each mail is, in a place that is its owner’s alone', async () => {
    await using files = await openFiles()
    const message = makeMessage({ id: '019e0000-0000-7000-8000-000000000000' })
    await files.transport.send(message, never)
    const path = join(files.dir, `20260507T011420544Z-${message.id}.eml`)
    expect(files.told).toEqual([`Mail to kim@example.com: ${path}`])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(files.dir)).mode & 0o777).toBe(0o700)
  })

  it('keeps one file of a mail that is sent again, and the newest of many', async () => {
    await using files = await openFiles({ maxFiles: 3 })
    const messages = Array.from({ length: 5 }, () => makeMessage())
    for (const message of messages) await files.transport.send(message, never)
    await files.transport.send(messages[4] ?? makeMessage(), never)
    const ids = (await files.list()).map(name => name.slice(20, -4))
    expect(ids).toEqual(messages.slice(2).map(({ id }) => id))
  })
})

describe('the SMTP transport', () => {
  const ca = TEST_CERTIFICATE.cert
  const credentials = { user: 'nuvion', password: 'p@ss/word' }
  const withSignIn = (url: string, password = credentials.password) =>
    url.replace('://', `://nuvion:${encodeURIComponent(password)}@`)

  it.each([
    { name: 'STARTTLS', tls: true, query: '?tls=yes' },
    { name: 'TLS', tls: 'implicit', query: '' },
  ] as const)('signs in under $name', async ({ tls, query }) => {
    await using server = await startTestSmtpServer({ tls, credentials })
    await using transport = createSmtpTransport({
      server: parseSmtpUrl(`${withSignIn(server.url)}${query}`),
      from,
      ca,
    })
    await transport.send(makeMessage(), never)
    await transport.send(makeMessage(), never)
    expect(server.received).toHaveLength(2)
    expect(server.received[0]).toMatchObject({ user: 'nuvion', isEncrypted: true, to: ['kim@example.com'] })
  })

  it('sends nothing in plain text to a server without TLS, and nothing to one with a strange certificate', async () => {
    await using plain = await startTestSmtpServer({ tls: false })
    await using strange = await startTestSmtpServer()
    for (const { url } of [plain, strange]) {
      await using transport = createSmtpTransport({ server: parseSmtpUrl(`${url}?tls=yes`), from })
      const sent = transport.send(makeMessage(), never)
      await expect(sent).rejects.toThrow(/STARTTLS|certificate/i)
      await expect(sent).rejects.not.toThrow(MailRefused)
    }
    expect([...plain.received, ...strange.received]).toEqual([])
  })

  it.each([
    { name: 'a recipient that does not exist', refused: true, code: 550, step: 'onRecipient' },
    { name: 'a full mailbox', refused: false, code: 452, step: 'onRecipient' },
    { name: 'a text for good', refused: true, code: 554, step: 'onText' },
    { name: 'a text for now', refused: false, code: 451, step: 'onText' },
    { name: 'a sender, which the operator can mend', refused: false, code: 550, step: 'onSender' },
  ])('tells whether it is worth another attempt when a server refuses $name', async answer => {
    const said = { code: answer.code, text: 'No' }
    await using server = await startTestSmtpServer({ [answer.step]: () => said })
    await using transport = createSmtpTransport({ server: parseSmtpUrl(server.url), from })
    const error = await transport.send(makeMessage(), never).catch(error => error)
    expect(error.message).toContain(`${answer.code} No`)
    expect(error instanceof MailRefused).toBe(answer.refused)
  })

  it('keeps mail when the server does not take the sign-in', async () => {
    await using server = await startTestSmtpServer({ credentials })
    await using transport = createSmtpTransport({
      server: parseSmtpUrl(`${withSignIn(server.url, 'wrong')}?tls=yes`),
      from,
      ca,
    })
    const error = await transport.send(makeMessage(), never).catch(error => error)
    expect(error.message).toContain('535')
    expect(error).not.toBeInstanceOf(MailRefused)
    expect(error.message).not.toContain('wrong')
  })

  it('gives a server up that says nothing, and one that is not there', async () => {
    await using silent = await startTestSmtpServer({ onText: () => 'silence' })
    await using slow = createSmtpTransport({ server: parseSmtpUrl(silent.url), from, answerDeadlineMs: 200 })
    await expect(slow.send(makeMessage(), never)).rejects.toThrow(/timeout/i)
    const gone = await startTestSmtpServer()
    await gone[Symbol.asyncDispose]()
    await using lost = createSmtpTransport({ server: parseSmtpUrl(gone.url), from })
    await expect(lost.send(makeMessage(), never)).rejects.toThrow(/ECONNREFUSED/)
  })

  it('gives up at once when it is told to stop', async () => {
    const stopping = new AbortController()
    await using server = await startTestSmtpServer({
      onText: () => {
        stopping.abort()
        return 'silence'
      },
    })
    await using transport = createSmtpTransport({ server: parseSmtpUrl(server.url), from })
    await expect(transport.send(makeMessage(), stopping.signal)).rejects.toThrow(/abort/i)
  })
})
