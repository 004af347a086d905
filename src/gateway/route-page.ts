import type { Browser, BrowserContext, Page, Request, Route } from '@playwright/test'
import { CassetteError } from '../errors.ts'
import type { Attempt } from '../host/attempt.ts'
import { isLlmSocket, judgeUrl } from '../intercept/call/llm-call.ts'
import { addressOfCaught } from '../intercept/redirect/address.ts'
import { fetchDirectly } from './fetch-directly.ts'

/** The test, or the hook, to which requests of pages belong now. */
export interface Running {
  attempt: Pick<Attempt, 'config' | 'reject'>
  /** The first part of its addresses at the gateway; `undefined` in mode `off`. */
  base?: string
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
 * the test that let a call continue lead it here too.
 */
export async function routePages(context: BrowserContext, running: NowRunning): Promise<void> {
  const isOff = running() !== undefined && running()?.base === undefined
  // A route costs a page its cache.
  if (isOff || routed.has(context)) return
  routed.add(context)
  const isLlmCall = (url: string): boolean => {
    const now = running()
    return now?.base !== undefined && judgeUrl('POST', url, now.attempt.config) !== 'no'
  }
  const answer = async (route: Route): Promise<void> => {
    const { base, refuse } = running() ?? {}
    if (refuse) {
      refuse()
      return route.abort()
    }
    if (base === undefined) return route.fallback()
    const url = addressOfCaught(base, route.request().url())
    try {
      await route.fulfill(await askDirectly(route.request(), url))
    } catch {
      // The page is gone, or the gateway broke the connection off, as the provider did.
      await route.abort('connectionfailed').catch(() => {})
    }
  }
  const install = (): Promise<unknown> => context.route((url) => isLlmCall(url.href), answer)
  await install()
  await refuseSockets(context, running)
  const { unrouteAll } = context
  context.unrouteAll = async (options) => {
    await unrouteAll.call(context, options)
    await install()
  }
  keepFromContinuing(context, isLlmCall)
  for (const page of context.pages()) keepFromContinuing(page, isLlmCall)
  context.on('page', (page) => keepFromContinuing(page, isLlmCall))
}

/** Asks the gateway for a page. Playwright would lead the request through the proxy of the browser, with all that is in it. */
async function askDirectly(
  request: Request,
  url: string,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  const sent = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(':'))
  const body = new Uint8Array(request.postDataBuffer() ?? []).buffer
  const whole = { method: request.method(), url, headers: new Headers(sent), body }
  const answer = await fetchDirectly(url, whole)
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
async function refuseSockets(context: BrowserContext, running: NowRunning): Promise<void> {
  const isRefused = (url: URL): boolean => {
    const now = running()
    return now?.base !== undefined && isLlmSocket(url, now.attempt.config)
  }
  const fail = (problem: string): void =>
    running()?.attempt.reject(new CassetteError('refused', problem))
  // Playwright has this since 1.48.
  await context.routeWebSocket?.(isRefused, async (socket) => {
    fail(
      `A page opened a WebSocket to a provider, ${socket.url()}. Under Playwright, no cassette can hold its messages, so it is refused.\n` +
        'Let the server of the page ask the provider, or answer in the place of the provider: page.routeWebSocket()',
    )
    await socket.close({ code: 1008, reason: 'refused by vitest-cassette' })
  })
  // Those of workers pass the routes.
  const watch = (page: Page): void =>
    void page.on('websocket', (socket) => {
      if (isRefused(new URL(socket.url())))
        fail(
          `A worker of a page opened a WebSocket to a provider, ${socket.url()}. What it sends goes out, and no cassette can hold it.\n` +
            'Let the page ask the provider.',
        )
    })
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
}
