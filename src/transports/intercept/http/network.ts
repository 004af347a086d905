import { web } from '../../../real/web.ts'
import type { Socket } from 'node:net'
import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import { SocketInterceptor } from '@mswjs/interceptors/net'
import { http } from 'msw/http'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { CassetteError } from '../../../errors.ts'
import { builtin, replaceOnce } from '../../../real/builtin.ts'
import { inRealWorld } from '../../../real/real-world.ts'
import { failHere, failing } from '../../scope.ts'
import { others } from '../context/request-context.ts'
import { isMocked } from '../patch/first-connection.ts'
import { countNetwork, type Registry } from '../patch/outside-of-msw.ts'
import { bodies, noteBody, readSent, sending, withSentBody } from './sent-bodies.ts'
import { loadSharing } from './load-sharing.ts'

/** Answers the requests that the network sees; `undefined` lets one pass. */
export interface NetworkAnswers {
  answer(request: Request): Promise<Response | undefined>
  /** Refuses a client a tunnel to `<host>:<port>`; `undefined` permits it. */
  answerTunnel(authority: string): Response | undefined
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

/** The interceptors of all who use MSW here. None leaves it. */
const { __MSW_INTERCEPTORS_REGISTRY: users } = globalThis as unknown as {
  __MSW_INTERCEPTORS_REGISTRY: Registry
}

/**
 * Opens MSW's network over an interceptor at the socket. Not `setupServer`, which a server of the user would silence.
 * It also sees clients that were built before it. Returns a function that closes it.
 */
export function openNetwork({ answer, answerTunnel }: NetworkAnswers): () => void {
  refuseFakes()
  const interceptor = new HttpRequestInterceptor()
  // The address of a tunnel is no URL, so MSW's handlers never see one.
  interceptor.on('request', ({ request, initiator, controller }) => {
    const { respondWith } = controller
    controller.respondWith = (response) =>
      inRealWorld(() => {
        // MSW looks at the class only once the connection is open, in the world of the test, which may have another.
        if (response.type === 'error') controller.errorWith(new TypeError('Network error'))
        else respondWith.call(controller, response)
      })
    const body = sending.get(initiator as object)
    if (body) noteBody(request, initiator as object, body)
    const tunnel = request.method === 'CONNECT' ? answerTunnel(request.url) : undefined
    if (tunnel) controller.respondWith(tunnel)
  })
  const handler = http.all('*', async ({ request }) => {
    const pass = others.pass?.(request)
    const isWhole = bodies.size === 0 && !request.url.includes('#')
    const answered = await answer(isWhole ? request : await withSentBody(request))
    if (!answered) pass?.()
    return answered
  })
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: [interceptor] })],
    handlers: [handler],
    onUnhandledFrame: 'bypass',
    context: { quiet: true },
  })
  // MSW itself would answer in our place.
  network.events.on('unhandledException', ({ error }) => void failHere(error as Error))
  let endLayers = (): void => {}
  const enable = (): void => {
    endLayers = mockOnce(() => network.enable())
  }
  let endSharing: (() => void) | undefined
  const share = (): void => {
    endSharing ??= loadSharing().shareNetwork(interceptor, handler, users)
  }
  // Before it is open: what cannot load leaves nothing behind.
  if (users.size > 0) share()
  const endShield = shieldAnswers(interceptor, enable)
  const uncount = countNetwork()
  const undo = watchUsers(share)
  return () =>
    inRealWorld(() => {
      for (const end of undo) end()
      endShield()
      endLayers()
      network.disable()
      endLayers()
      endSharing?.()
      uncount()
    })
}

/** Calls `share` when others bring interceptors, or listen to those of the network. Returns what ends this. */
function watchUsers(share: () => void): Array<() => void> {
  const sharing = <Given extends unknown[], Result>(go: (...given: Given) => Result) =>
    function (this: unknown, ...given: Given): Result {
      share()
      return go.apply(this, given)
    }
  return [
    replaceOnce(users, 'set', sharing),
    ...Array.from(users.values(), (user) => replaceOnce(user, 'on', sharing)),
  ]
}

/** A socket of MSW's, which reads what its client writes by this function. */
interface Written {
  destroy(error: Error): unknown
  _writeGeneric(...args: unknown[]): unknown
}

/**
 * Lets MSW read requests by the real functions of Node: where it cannot, it lets them pass. What it does later, it does
 * in the world of the test.
 */
function readInRealWorld({ socket }: { socket: Written }): void {
  const write = socket._writeGeneric
  const refuse = failing(refuseFakes)
  socket._writeGeneric = (...args) => {
    return inRealWorld(() => {
      try {
        refuse()
      } catch (error) {
        return socket.destroy(error as Error)
      }
      return write(...args)
    })
  }
}

/**
 * Keeps our answers whole on a connection on which MSW let an earlier request pass. The server there sees it idle, and
 * may close it in the middle of our answer. So an answer holds back the data and the end that the server sends, and is
 * the last on its connection. Returns a function that ends this.
 *
 * @param enable opens the network, which has to see requests after this does, and connections before
 */
function shieldAnswers(interceptor: HttpRequestInterceptor, enable: () => void): () => void {
  const withServer = new WeakMap<object, { corkReads(): void }>()
  const ended = new web.AbortController()
  const { signal } = ended
  interceptor.on(
    'request',
    ({ initiator, controller }) => {
      const connection = withServer.get(initiator as object)
      if (!connection) return
      const { respondWith } = controller
      controller.respondWith = (response) => {
        connection.corkReads()
        if (response.type !== 'error') response.headers.set('connection', 'close')
        respondWith.call(controller, response)
      }
    },
    { signal },
  )
  enable()
  const sockets = SocketInterceptor.singleton(SocketInterceptor)
  const seen = new WeakSet()
  // Not a listener, which MSW calls a tick after its own: the client may have written its first request by then.
  sockets['emitter'].hooks.on(
    'beforeEmit',
    ({ socket, controller }) => {
      if (seen.has(socket)) return
      seen.add(socket)
      readInRealWorld(controller as unknown as { socket: Written })
      // Before MSW's own parser reads the same bytes, and in the same world.
      socket.prependListener('data', (bytes: Buffer | string) => {
        readSent(socket, Buffer.from(bytes as string))
      })
      const { passthrough } = controller
      controller.passthrough = (flush) => {
        withServer.set(socket, controller)
        return passthrough.call(controller, flush)
      }
    },
    { signal },
  )
  return () => ended.abort()
}

/** The context in which interceptors of MSW ignore a connection; every copy of its library shares it. */
interface ConnectionContext {
  run<Result>(connect: () => Result): Result
  consume(): boolean
}

/**
 * Lets one interceptor alone answer a connection. A library such as nock brings its own copy of MSW's, which takes the
 * connection that another copy has already taken for a new one; so a client got two answers at once. Encloses the
 * interceptor that `enable` opens, since either may lie above the other. Returns a function that ends this, to be called
 * before that interceptor ends and after it.
 */
function mockOnce(enable: () => void): () => void {
  const { prototype } = builtin('node:net').Socket
  const layers = [addLayer(prototype)]
  enable()
  layers.push(addLayer(prototype))
  return () => layers.toReversed().forEach((layer) => layer.end())
}

/** A layer stays where it is, and does nothing, as long as others lie above it. */
function addLayer(prototype: Socket): { isOpen: boolean; end(): void } {
  const { connect } = prototype
  const layer = {
    isOpen: true,
    end(): void {
      layer.isOpen = false
      if (prototype.connect === layered) prototype.connect = connect
    },
  }
  const layered = function (this: Socket, ...args: unknown[]): Socket {
    const go = (): Socket => Reflect.apply(connect, this, args)
    const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = globalThis as {
      __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
    }
    if (!layer.isOpen || !context || !isMocked(args)) return go()
    return context.run(() => {
      const socket = go()
      // Used up here, or the connections that the listeners of this one make would pass as well.
      context.consume()
      return socket
    })
  } as typeof connect
  prototype.connect = layered
  return layer
}
