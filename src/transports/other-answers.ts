import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'
import { stackLines } from '../errors.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { hostOf } from '../engine/gateways.ts'
import { isUntaken } from './intercept/context/carried-context.ts'
import { others } from './intercept/context/request-context.ts'
import { currentScope } from './scope.ts'
import { noteForeign } from './reports.ts'
import { listenTo, type UndiciRequest } from './intercept/patch/channels.ts'
import { followPrompts, promptListeners } from './intercept/patch/passed-prompts.ts'
import { nameOfDispatcher } from './intercept/patch/own-dispatcher.ts'
import { othersIntercept } from './intercept/patch/others-intercept.ts'
import { replaceOnce } from '../real/builtin.ts'
import { withRealValues } from '../real/real-world.ts'
import { isOwnFetch } from './intercept/patch/intercept-fetch.ts'

type Fetch = typeof globalThis.fetch

/** A dispatcher of undici. */
interface Dispatching {
  dispatch(request: { origin: unknown; path: string; method: string }, handler: unknown): unknown
}

const { defineProperty } = Object

/** A call of a function in the place of fetch; `hasReached` once it has come to us, whatever it went through before. */
interface Watched {
  hasReached: boolean
}

const calls = new AsyncLocalStorage<Watched>()

/** The functions that count their calls, which stand in the place of those of others. */
const counting = new WeakSet<object>()

/** The getters by which the global fetch is read here. */
const watched = new WeakSet<object>()

/** The requests that recordings make themselves, each with what hears of a mock that answers it. */
const upstream = new WeakMap<object, (() => void) | undefined>()

const traces = new AsyncLocalStorage<() => void>()

/** The sockets of those that had no connection when they were sent: a mock answers, or MSW will open one. */
const unconnected = new WeakMap<object, Socket>()

/** Who replaced fetch last. */
let replacer: string | undefined

let judge: (method: string, url: string) => boolean = () => false

/**
 * Counts, while recording, the LLM calls that others answer in our place, by host: no cassette gets them, and their
 * tests pass. A mock library replaces fetch, or answers a request on its way to the socket. Nothing fails for it, since
 * a test may mean it; the run names them. It follows the prompts as well that nobody records.
 */
export function watchOthers(
  isLlmCall: (method: string, url: string) => boolean,
  ofFile: ResolvedConfig,
): void {
  judge = isLlmCall
  followPrompts(ofFile, leadsNowhere)
  if (others.watch) return
  others.watch = (url, ask) => watch(url, () => nameOfDispatcher() ?? 'a dispatcher', ask)
  others.reach = reach
  others.traces = traces
  others.answer = (url) => withRealValues(() => noteForeign(hostOf(url), nameOfOther()))
  // As mock libraries and `vi.stubGlobal` replace fetch.
  replaceOnce(Object, 'defineProperty', (defineProperty) => {
    return function (target, key, descriptor) {
      const defined = defineProperty(target, key, descriptor)
      if (target === globalThis && key === 'fetch') watchFetch()
      else if (target === globalThis && typeof key === 'symbol') watchDispatcher(descriptor.value)
      return defined
    } as typeof defineProperty
  })
  listenTo({
    'undici:request:create': ({ request }: { request: object }) => {
      reach()
      if (currentScope() === 'upstream') upstream.set(request, traces.getStore())
    },
    'undici:client:sendHeaders': ({
      request,
      socket,
    }: {
      request: UndiciRequest
      socket: Socket
    }) => {
      if (upstream.has(request) && socket.remoteAddress === undefined)
        unconnected.set(request, socket)
    },
    'http.client.request.created': reach,
    'undici:request:headers': ({ request }: { request: UndiciRequest }) => {
      const socket = unconnected.get(request)
      const isMocked = socket !== undefined && leadsNowhere(socket)
      if (isMocked) upstream.get(request)?.()
      if (isMocked || isUntaken(request))
        noteForeign(hostOf(String(request.origin)), nameOfOther(), isMocked)
    },
  })
  listenTo(promptListeners)
  watchFetch()
}

/** The part of Node that reads and writes a socket, which Node does not document. */
interface Handle {
  getpeername(name: object): number
}

/**
 * Whether the socket of an answer has no connection, which is that of a mock. It is asked of the system, by the method
 * of Node itself: a mock tells another address.
 */
function leadsNowhere(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  return (
    Boolean(handle) && (Object.getPrototypeOf(handle) as Handle).getpeername.call(handle, {}) !== 0
  )
}

function reach(): void {
  const call = calls.getStore()
  if (call) call.hasReached = true
}

/**
 * Puts a function that counts in the place of a fetch that is not ours, now and whenever one is assigned. What defines
 * the property anew and restores it later restores the fetch that stood here before.
 */
export function watchFetch(by: string | undefined = replacerFrom(new Error('here'))): void {
  const property = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  if (!property?.configurable || watched.has(property.get as object)) return
  let current = countedBy(globalThis.fetch, by)
  const get = (): Fetch => current
  watched.add(get)
  const set = (fetch: Fetch): void => {
    current = countedBy(fetch, replacerFrom(new Error('here')))
  }
  defineProperty(globalThis, 'fetch', { configurable: true, enumerable: true, get, set })
}

/** The function that counts the calls of a fetch; the fetch itself where it is ours. */
function countedBy(fetch: Fetch, by: string | undefined): Fetch {
  if (typeof fetch !== 'function' || isOwnFetch(fetch) || counting.has(fetch)) return fetch
  replacer = by ?? nameOfMsw() ?? 'a stub of fetch'
  const name = replacer
  const counted: Fetch = new Proxy(fetch, {
    apply(target, self, args: Parameters<Fetch>) {
      const [input, init] = args
      // A request of any make.
      const request = typeof input === 'object' && 'url' in input ? input : undefined
      const url = request?.url ?? String(input)
      const method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
      const ask = (): Promise<Response> => Reflect.apply(target, self, args)
      return judge(method, url) ? watch(url, () => name, ask) : ask()
    },
  })
  counting.add(counted)
  return counted
}

/** Counts what a dispatcher that becomes the global one answers to the clients of undici itself. */
function watchDispatcher(dispatcher: unknown): void {
  const name = nameOfDispatcher()
  if (name === undefined || (dispatcher as Dispatching).constructor.name !== name) return
  replaceOnce(dispatcher as Dispatching, 'dispatch', (dispatch) => {
    return function (this: Dispatching, request, handler) {
      const send = (): unknown => Reflect.apply(dispatch, this, [request, handler])
      const url = `${String(request.origin)}${request.path}`
      // A call of fetch is counted already.
      const isCounted = calls.getStore() !== undefined || !judge(request.method, url)
      return isCounted ? send() : watch(url, () => name, send)
    }
  })
}

function watch<Result>(url: string, nameOf: () => string, ask: () => Result): Result {
  const call: Watched = { hasReached: false }
  const note = (): void => {
    if (!call.hasReached) noteForeign(hostOf(url), nameOf())
  }
  // A stub can return anything. A refusal is an answer too: the application may swallow it.
  try {
    const answer = calls.run(call, ask)
    void Promise.resolve(answer).then(note, note)
    return answer
  } catch (error) {
    note()
    throw error
  }
}

function nameOfOther(): string {
  return replacer ?? nameOfMsw() ?? 'another mock'
}

function nameOfMsw(): string | undefined {
  return othersIntercept() ? 'MSW' : undefined
}

/** Parts of test runners and of mock libraries that tell nothing of who uses them. */
const PARTS = /^(?:vitest|@vitest\/.*|vitest-cassette|@mswjs\/interceptors|@open-draft\/.*|vite)$/

/** Where this package lies, which may be a link to it. */
const OWN = import.meta.url.slice(0, import.meta.url.lastIndexOf('/'))

/** The library, or else the file of the user, that runs here. */
function replacerFrom(here: Error): string | undefined {
  for (const frame of stackLines(here)) {
    if (frame.includes('node:') || frame.includes(OWN)) continue
    const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(frame) ?? []
    if (library === 'msw') return 'MSW'
    if (library !== undefined && !PARTS.test(library)) return library
    const [, file] = /\(?((?:file:\/\/)?\/[^():]+):\d+:\d+/.exec(frame) ?? []
    if (library === undefined && file) return `a stub of fetch in ${file.split('/').at(-1)!}`
  }
  return undefined
}
