import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

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
  /** Fails what runs. */
  fail(problem: string): void
}

/** What the commands resolve to that are sent to a page. */
interface Returned {
  'Target.getTargetInfo': { targetInfo: { browserContextId?: string } }
  'Page.getFrameTree': { frameTree: FrameTree }
}

interface FrameTree {
  frame: { id: string }
  childFrames?: FrameTree[]
}

/** A request that Chromium has stopped: `Fetch.requestPaused`. */
interface Paused {
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
      // The page, or the browser, can be gone meanwhile.
      this.#take(paused).catch(() => {})
    })
  }

  static async start(browser: Browser): Promise<BrowserGuard> {
    const session = await browser.newBrowserCDPSession()
    const guard = new BrowserGuard(browser, session)
    await session.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] })
    return guard
  }

  add(context: BrowserContext, taker: CallTaker): void {
    this.#takers.set(context, taker)
    context.on('close', () => this.#takers.delete(context))
  }

  async #take({ requestId, frameId, request }: Paused): Promise<void> {
    const able = [...this.#takers.values()].filter((taker) => taker.isLlmCall(request.url))
    const asking = able[0] && (await this.#contextOf(frameId, able[0].owner))
    const taker = asking && this.#takers.get(asking)
    if (able.length === 0 || (asking && !taker?.isLlmCall(request.url)))
      return void (await this.#session.send('Fetch.continueRequest', { requestId }))
    if (!taker) for (const one of able) one.fail(explainUnknown(request.url))
    const answer = await taker?.answer(callOf(request))
    if (!answer) {
      const failed = { requestId, errorReason: 'ConnectionFailed' } as const
      return void (await this.#session.send('Fetch.failRequest', failed))
    }
    await this.#session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders: Object.entries(answer.headers).map(([name, value]) => ({ name, value })),
      body: answer.body.toString('base64'),
    })
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
    const { targetInfo } = await askPage(page, 'Target.getTargetInfo')
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

/** Whether a frame is one of the process of its page: the others are targets of their own. */
async function hasFrame(context: BrowserContext, frameId: string): Promise<boolean> {
  for (const page of context.pages()) {
    const { frameTree } = await askPage(page, 'Page.getFrameTree')
    const open = [frameTree]
    for (const { frame, childFrames = [] } of open) {
      if (frame.id === frameId) return true
      open.push(...childFrames)
    }
  }
  return false
}

async function askPage<Method extends keyof Returned>(
  page: Page,
  method: Method,
): Promise<Returned[Method]> {
  const session = await page.context().newCDPSession(page)
  try {
    return (await session.send(method)) as Returned[Method]
  } finally {
    await session.detach()
  }
}

function callOf({ method, url, headers, postDataEntries = [] }: Paused['request']): PageCall {
  const pieces = postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))
  return { method, url, headers, body: new Uint8Array(Buffer.concat(pieces)) }
}
