import { web } from '../real/web.ts'
import type { Browser, BrowserContext, Page, Request, Route } from '@playwright/test'
import { CassetteError } from '../errors.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { isLlmSocket, judgeUrl } from './intercept/call/judge-address.ts'
import { addressOfCaught, VISITOR_HEADER } from './address.ts'
import { fetchDirectly } from './fetch-directly.ts'
import { guardContext, type PageAnswer, type PageCall } from './gateway/guard-browser.ts'

/** The test, or the hook, to which requests of pages belong now. */
export interface Running {
  attempt: Pick<Attempt, 'config' | 'reject'>
  /** The first part of its addresses at the gateway; `undefined` in mode `off`. */
  base?: string
  /** The address of the application, whose server each handshake of a WebSocket tells the base by a cookie. */
  application?: string
  /** Fails what runs for a request of which nothing tells to which test it belongs. */
  refuse?: () => void
}

/** Returns what runs now; `undefined` between tests. */
type NowRunning = () => Running | undefined

type RouteHandler = Parameters<Page['route']>[1]

const routed = new WeakSet<BrowserContext>()

/** Lets the gateway answer the LLM calls of pages in all contexts that a browser opens from now on. */
export function routeBrowser(browser: Browser, running: NowRunning): void {
  const { newContext } = browser
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options)
    await routePages(context, running)
    return context
  }
}

/**
 * Lets the gateway answer the LLM calls of the pages of a context. A page gets an answer once it is complete. Routes of
 * the test that let a call continue lead it here too. Resolves to whether no call can pass, as {@link guardContext}.
 */
export async function routePages(context: BrowserContext, running: NowRunning): Promise<boolean> {
  const { base: current, application } = running() ?? {}
  if (current !== undefined && application !== undefined)
    await context.addCookies([
      { name: VISITOR_HEADER, value: current, url: application, httpOnly: true, sameSite: 'Lax' },
    ])
  const isOff = running() !== undefined && current === undefined
  // A route costs a page its cache.
  if (isOff || routed.has(context)) return true
  routed.add(context)
  const isLlmCall = (url: string): boolean => {
    const now = running()
    return now?.base !== undefined && judgeUrl('POST', url, now.attempt.config) !== 'no'
  }
  const isLlmSocketNow = (url: URL): boolean => {
    const now = running()
    return now?.base !== undefined && isLlmSocket(url, now.attempt.config)
  }
  const answer = async (call: PageCall): Promise<PageAnswer | undefined> => {
    const { base, refuse } = running() ?? {}
    refuse?.()
    if (refuse || base === undefined) return undefined
    try {
      return await askDirectly(call, addressOfCaught(base, call.url))
    } catch {
      // The gateway broke the connection off, as the provider did.
      return undefined
    }
  }
  const answerRoute = async (route: Route): Promise<void> => {
    const whole = await answer(await callOf(route.request()))
    // The page can be gone meanwhile.
    await (whole ? route.fulfill(whole) : route.abort('connectionfailed')).catch(() => {})
  }
  const install = (): Promise<unknown> => context.route((url) => isLlmCall(url.href), answerRoute)
  await install()
  const fail = (problem: string): void =>
    running()?.attempt.reject(new CassetteError('refused', problem))
  const isGuarded = await guardContext(context, {
    owner: running,
    isLlmCall,
    answer,
    mayOpen: (socket) => {
      if (!isLlmSocketNow(new URL(socket))) return true
      fail(
        `A worker of a page opened a WebSocket to a provider, ${socket}. No cassette can hold its messages, so it is refused.\n` +
          'Let the page, or its server, ask the provider.',
      )
      return false
    },
    fail,
  })
  await refuseSockets(context, isLlmSocketNow, fail)
  const { unrouteAll } = context
  context.unrouteAll = async (options) => {
    await unrouteAll.call(context, options)
    await install()
  }
  keepFromContinuing(context, isLlmCall)
  for (const page of context.pages()) keepFromContinuing(page, isLlmCall)
  context.on('page', (page) => keepFromContinuing(page, isLlmCall))
  return isGuarded
}

async function callOf(request: Request): Promise<PageCall> {
  const headers = await request.allHeaders()
  const body = new Uint8Array(request.postDataBuffer() ?? [])
  return { method: request.method(), url: request.url(), headers, body }
}

/** Asks the gateway for a page. Playwright would lead the request through the proxy of the browser, with all that is in it. */
async function askDirectly(call: PageCall, url: string): Promise<PageAnswer> {
  const { method, body } = call
  const headers = Object.entries(call.headers).filter(([name]) => !name.startsWith(':'))
  const asked = { method, url, headers: new web.Headers(headers), body: body.buffer }
  const answer = await fetchDirectly(url, asked)
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

/** In routes of the test, `continue()` of an LLM call means `fallback()`: the provider must not get it. */
function keepFromContinuing(
  target: Page | BrowserContext,
  isLlmCall: (url: string) => boolean,
): void {
  const { route: add, unroute: remove } = target
  const known = new WeakMap<RouteHandler, RouteHandler>()
  target.route = (url, handler, options) => {
    const own: RouteHandler = (route, request) => {
      if (isLlmCall(request.url())) route.continue = (overrides) => route.fallback(overrides)
      return handler(route, request)
    }
    known.set(handler, own)
    return add.call(target, url, own, options)
  }
  target.unroute = (url, handler) =>
    remove.call(target, url, handler && (known.get(handler) ?? handler))
}

/** Playwright cannot pass the messages of a socket on to the gateway, so no page may ask a provider by one. */
async function refuseSockets(
  context: BrowserContext,
  isLlmSocketNow: (url: URL) => boolean,
  fail: (problem: string) => void,
): Promise<void> {
  await context.routeWebSocket(isLlmSocketNow, async (socket) => {
    fail(
      `A page opened a WebSocket to a provider, ${socket.url()}. Under Playwright, no cassette can hold its messages, so it is refused.\n` +
        'Let the server of the page ask the provider, or answer in the place of the provider: page.routeWebSocket()',
    )
    await socket.close({ code: 1008, reason: 'refused by vitest-cassette' })
  })
  // Those of workers pass the routes.
  const watch = (page: Page): void =>
    void page.on('websocket', (socket) => {
      if (isLlmSocketNow(new URL(socket.url())))
        fail(
          `A worker of a page opened a WebSocket to a provider, ${socket.url()}. What it sends goes out, and no cassette can hold it.\n` +
            'Let the page ask the provider.',
        )
    })
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
}
