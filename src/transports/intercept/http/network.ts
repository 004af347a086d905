import type { Duplex } from 'node:stream'
import { http } from 'msw/http'
import { defineNetwork } from 'msw/experimental'
import { CassetteError } from '../../../errors.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { failHere, failing } from '../../scope.ts'
import { ConnectionSource } from '../connection/connection-source.ts'
import type { ConnectionPlace } from '../connection/memory-socket.ts'
import { ConnectionServer, type Served } from '../connection/serve-connection.ts'
import { others } from '../context/request-context.ts'

/** Answers the requests that the network sees; `undefined` lets one pass. */
export interface NetworkAnswers extends Pick<Served, 'refuseTunnel' | 'serveHttp2'> {
  answer(request: Request): Promise<Response | undefined>
}

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
  /** Takes the server's end of a connection, and where it was to lead. */
  accept(connection: Duplex, place: ConnectionPlace): void
  close(): void
}

/**
 * Opens MSW's network over the connections that are taken here. Not `setupServer`, which a server of the user would
 * silence.
 */
export function openNetwork({ answer, refuseTunnel, serveHttp2 }: NetworkAnswers): Network {
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
  const server = new ConnectionServer({
    answer: (exchange) => inRealWorld(() => source.take(exchange, refuse)),
    refuseTunnel,
    serveHttp2,
    fail: failHere,
  })
  return {
    accept: (connection, place) => server.accept(connection, place),
    close() {
      inRealWorld(() => {
        server.close()
        void network.disable()
      })
    },
  }
}
