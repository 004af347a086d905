import { http } from 'msw/http'
import { defineNetwork } from 'msw/experimental'
import { CassetteError } from '../../../errors.ts'
import { failHere, failing } from '../../scope.ts'
import { ConnectionSource } from '../connection/connection-source.ts'
import type { ServedRequest } from '../connection/serve-connection.ts'
import { others } from '../context/request-context.ts'

const PLACE = 'http://localhost/path'
const POST = { method: 'POST', duplex: 'half' }

/** What MSW needs of global classes: without it, MSW lets requests pass, or never answers them. */
const NEEDED = ['URL', 'Headers', 'Request', 'Response']

/** Those classes, and what they use to make an object. */
const USED = 'AbortController AbortSignal Buffer Map ReadableStream queueMicrotask'.split(' ')
const GLOBALS = [...NEEDED, ...USED] as Array<keyof typeof globalThis>

/** The globals that made objects last, and those objects: to make one of each at each write takes longer than all else. */
let known: { globals: unknown[]; made: Map<string, unknown> } = { globals: [], made: new Map() }

function refuseFakes(): void {
  for (const [at, name] of GLOBALS.entries())
    if (globalThis[name] !== known.globals[at]) {
      known = { globals: Array.from(GLOBALS, (one) => globalThis[one] as unknown), made: new Map() }
      break
    }
  const { globals, made } = known
  for (const [at, name] of NEEDED.entries()) {
    let isFake = true
    try {
      const one = made.get(name) ?? make(name)
      isFake = !works(name, one)
      // What stands for a class, as mocks do, may make something else the next time.
      if (!made.has(name) && String(globals[at]).startsWith('class')) made.set(name, one)
    } catch {
      // Then it is one.
    }
    if (isFake)
      throw new CassetteError(
        'refused',
        `The global ${name === 'Request' ? fakeInRequest() : name} is a fake, so no request can be read: restore it before the call. Nothing was sent.`,
      )
  }
}

function make(name: string): unknown {
  if (name === 'URL') return new URL(PLACE)
  if (name === 'Headers') return new Headers([['a', 'b']])
  if (name === 'Response') return new Response('text')
  const { signal } = new AbortController()
  return new Request(PLACE, { ...POST, signal, body: new ReadableStream() })
}

function works(name: string, made: any): boolean {
  if (name === 'URL') return made.pathname === '/path'
  if (name === 'Headers') return made.get('a') === 'b'
  return name === 'Response' ? made.status === 200 : made.method === 'POST'
}

/** Node's clients take signals and streams of a polyfill alone where they loaded after it. */
function fakeInRequest(): string {
  const { signal } = new AbortController()
  const tries: Array<[name: string, init: RequestInit]> = [
    ['Request', {}],
    ['AbortController', { signal }],
  ]
  for (const [name, init] of tries)
    try {
      if (new Request(PLACE, init).method !== 'GET') return name
    } catch {
      return name
    }
  return 'ReadableStream'
}

/** MSW's network over connections. */
export interface Network {
  /** Has a request answered by the handlers, or sent on. */
  take(exchange: ServedRequest): void
  close(): void
}

/**
 * Opens MSW's network over the connections that are taken here. Not `setupServer`, which a server of the user would
 * silence.
 *
 * @param answer answers a request; `undefined` lets it pass
 */
export function openNetwork(answer: (request: Request) => Promise<Response | undefined>): Network {
  refuseFakes()
  const handler = http.all('*', async ({ request }) => {
    const pass = others.pass?.(request)
    const answered = await answer(request)
    if (!answered) pass?.()
    return answered
  })
  const source = new ConnectionSource()
  const network = defineNetwork({
    sources: [source],
    handlers: [handler],
    onUnhandledFrame: 'bypass',
    context: { quiet: true },
  })
  // MSW itself would answer in our place.
  network.events.on('unhandledException', ({ error }) => void failHere(error as Error))
  network.enable()
  const refuse = failing(refuseFakes)
  return {
    take(exchange) {
      refuse()
      void source.take(exchange)
    },
    close: () => void network.disable(),
  }
}
