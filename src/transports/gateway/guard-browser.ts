import type { Browser, BrowserContext, CDPSession, Frame, Page } from '@playwright/test'
import { MAY_OPEN, SOCKET_PATH, withGuard, workerGuard } from './guard-workers.ts'

/** A call of a page, as it would go out. */
export interface PageCall {
  method: string
  url: string
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer>
}

/** A whole answer for a page. */
export interface PageAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** What takes the calls of one context. */
export interface CallTaker {
  /** The same object for contexts whose calls belong to the same test. */
  owner: object
  isLlmCall(url: string): boolean
  /** Resolves to `undefined` where the call is broken off. */
  answer(call: PageCall): Promise<PageAnswer | undefined>
  /** Whether a worker may open a WebSocket. Fails what runs where it may not. */
  mayOpen(socket: string): boolean
  /** Fails what runs. */
  fail(problem: string): void
}

/** A request, or its response, that Chromium has stopped: `Fetch.requestPaused`. */
interface Paused {
  responseStatusCode?: number
  responseHeaders?: Header[]
  requestId: string
  frameId: string
  request: {
    method: string
    url: string
    headers: Record<string, string>
    hasPostData?: boolean
    postDataEntries?: Array<{ bytes?: string }>
  }
}

interface Header {
  name: string
  value: string
}

/** The requests for scripts of workers are of this type, and those for icons. */
const WORKER_SCRIPT = 'Other'
const SCRIPT = /\b(?:java|ecma)script\b/i

const guards = new WeakMap<Browser, Promise<BrowserGuard>>()

/**
 * Takes the calls in a context that its routes do not see: Playwright routes a worker of a worker, and the first script
 * of some frames, only when they have begun, and shared workers never. Resolves to false where the browser is not
 * Chromium, which alone can stop requests for all that it runs.
 */
export async function guardContext(context: BrowserContext, taker: CallTaker): Promise<boolean> {
  const browser = context.browser()
  if (browser?.browserType().name() !== 'chromium') return false
  if (!guards.has(browser)) guards.set(browser, BrowserGuard.start(browser))
  const guard = await guards.get(browser)!
  guard.add(context, taker)
  const content = workerGuard()
  await context.addInitScript({ content })
  // A frame can be gone meanwhile.
  const frames = context.pages().flatMap((page) => page.frames())
  await Promise.all(frames.map((frame) => frame.evaluate(content).catch(() => {})))
  return true
}

/** Stops the requests of a browser where they leave it, behind all routes. */
class BrowserGuard {
  readonly #session: CDPSession
  readonly #browser: Browser
  readonly #takers = new Map<BrowserContext, CallTaker>()
  readonly #ids = new WeakMap<BrowserContext, string>()

  private constructor(browser: Browser, session: CDPSession) {
    this.#browser = browser
    this.#session = session
    session.on('Fetch.requestPaused', (paused) => {
      const take = paused.responseStatusCode === undefined ? this.#take : this.#takeScript
      // Else it would wait for ever. The page, or the browser, can be gone meanwhile.
      take.call(this, paused).catch(() => this.#breakOff(paused.requestId).catch(() => {}))
    })
  }

  static async start(browser: Browser): Promise<BrowserGuard> {
    const session = await browser.newBrowserCDPSession()
    const guard = new BrowserGuard(browser, session)
    const urlPattern = 'http*'
    const scripts = { urlPattern, resourceType: WORKER_SCRIPT, requestStage: 'Response' } as const
    await session.send('Fetch.enable', { patterns: [{ urlPattern }, scripts] })
    return guard
  }

  add(context: BrowserContext, taker: CallTaker): void {
    this.#takers.set(context, taker)
    context.on('close', () => this.#takers.delete(context))
  }

  async #take({ requestId, frameId, request }: Paused): Promise<void> {
    const socket = socketAskedFor(request.url)
    if (socket !== undefined) {
      const taker = await this.#takerOf(frameId, socket, () => true)
      const mayOpen = taker?.mayOpen(socket) ?? true
      return this.#fulfill(requestId, 200, OPEN_TO_PAGES, Buffer.from(mayOpen ? MAY_OPEN : ''))
    }
    const { url } = request
    const taker = await this.#takerOf(frameId, url, (one) => one.isLlmCall(url))
    if (!taker) return void (await this.#session.send('Fetch.continueRequest', { requestId }))
    const answer = await taker.answer(callOf(request))
    if (answer) return this.#fulfill(requestId, answer.status, answer.headers, answer.body)
    await this.#breakOff(requestId)
  }

  /** Guards a worker before its script begins. */
  async #takeScript({
    requestId,
    request,
    responseStatusCode,
    responseHeaders = [],
  }: Paused): Promise<void> {
    const headers = Object.fromEntries(
      responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
    )
    if (responseStatusCode !== 200 || !SCRIPT.test(headers['content-type'] ?? ''))
      return void (await this.#session.send('Fetch.continueRequest', { requestId }))
    const { body, base64Encoded } = await this.#session.send('Fetch.getResponseBody', { requestId })
    const text = Buffer.from(body, base64Encoded ? 'base64' : 'utf8').toString('latin1')
    const whole = withGuard(workerGuard(request.url), text)
    delete headers['content-length']
    delete headers['content-encoding']
    await this.#fulfill(requestId, 200, headers, Buffer.from(whole, 'latin1'))
  }

  async #breakOff(requestId: string): Promise<void> {
    await this.#session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionFailed' })
  }

  async #fulfill(
    requestId: string,
    responseCode: number,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<void> {
    const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }))
    const answer = { requestId, responseCode, responseHeaders, body: body.toString('base64') }
    await this.#session.send('Fetch.fulfillRequest', answer)
  }

  /** What takes an address that a frame or a worker asks. Where nothing tells, all that run fail. */
  async #takerOf(
    frameId: string,
    url: string,
    takes: (taker: CallTaker) => boolean,
  ): Promise<CallTaker | undefined> {
    const [first, ...others] = [...this.#takers.values()].filter(takes)
    if (!first) return undefined
    const context = await this.#contextOf(frameId, first.owner)
    const taker = context && this.#takers.get(context)
    if (context) return taker && takes(taker) ? taker : undefined
    for (const one of [first, ...others]) one.fail(explainUnknown(url))
    return { ...first, answer: async () => undefined, mayOpen: () => false }
  }

  /** The context in which a frame, or a worker, runs. */
  async #contextOf(frameId: string, owner: object): Promise<BrowserContext | undefined> {
    const contexts = this.#browser.contexts()
    if (contexts.every((context) => this.#takers.get(context)?.owner === owner)) return contexts[0]
    const { targetInfos } = await this.#session.send('Target.getTargets')
    const id = targetInfos.find(({ targetId }) => targetId === frameId)?.browserContextId
    for (const context of contexts)
      if (id === undefined ? await hasFrame(context, frameId) : id === (await this.#idOf(context)))
        return context
    return undefined
  }

  async #idOf(context: BrowserContext): Promise<string | undefined> {
    const [page] = context.pages()
    if (!page || this.#ids.has(context)) return this.#ids.get(context)
    const { targetInfo } = await askTarget(context, page, (session) =>
      session.send('Target.getTargetInfo'),
    )
    this.#ids.set(context, targetInfo.browserContextId!)
    return targetInfo.browserContextId
  }
}

function explainUnknown(url: string): string {
  return (
    `A page asked ${url}, and nothing tells which of the tests that run in this browser it belongs to, so it is refused.\n` +
    'Let the page itself ask, or let the test files run one after the other: fileParallelism: false.'
  )
}

/** Whether a frame is of a context, and in the process of the page or frame around it: others are targets of their own. */
async function hasFrame(context: BrowserContext, frameId: string): Promise<boolean> {
  for (const page of context.pages())
    for (const frame of page.frames()) {
      const target = frame === page.mainFrame() ? page : frame
      // Fails for the frames that are not the first of their process.
      const found = await askTarget(context, target, (session) =>
        session.send('Page.getFrameTree'),
      ).catch(() => {})
      const open = found ? [found.frameTree] : []
      for (const { frame: known, childFrames = [] } of open) {
        if (known.id === frameId) return true
        open.push(...childFrames)
      }
    }
  return false
}

async function askTarget<Answer>(
  context: BrowserContext,
  target: Page | Frame,
  ask: (session: CDPSession) => Promise<Answer>,
): Promise<Answer> {
  const session = await context.newCDPSession(target)
  try {
    return await ask(session)
  } finally {
    await session.detach()
  }
}

const OPEN_TO_PAGES = { 'access-control-allow-origin': '*' }

/** The address of the WebSocket about which a worker asks. */
function socketAskedFor(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url)
  return pathname === SOCKET_PATH ? (searchParams.get('url') ?? undefined) : undefined
}

function callOf({ method, url, headers, postDataEntries = [] }: Paused['request']): PageCall {
  const pieces = postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))
  return { method, url, headers, body: new Uint8Array(Buffer.concat(pieces)) }
}
