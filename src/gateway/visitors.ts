// Loaded by `--require` into app servers that many tests ask at the same time; a file of its own without msw.
import { subscribe } from 'node:diagnostics_channel'
import { Server, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { CassetteError } from '../errors.ts'
import { REFUSAL_MARK } from '../intercept/call/refuse.ts'
import { judgeUrl, type HostOptions } from '../intercept/call/llm-call.ts'
import { trackRequests } from '../intercept/context/request-context.ts'
import { enterScope, runInScope, type Scope } from '../intercept/context/scope.ts'
import { builtin } from '../real/builtin.ts'
import { replaceOnce } from '../intercept/patch/replace-once.ts'
import { askGateways } from './ask-gateway.ts'
import { readVisitor, VISITOR_HEADER, VISITORS_VARIABLE } from './visitor-header.ts'

/** A request to this server, which interception carries along to the LLM calls made for it. */
interface Visit {
  base: string
}

const given = process.env[VISITORS_VARIABLE]
if (given) answerVisitors(JSON.parse(given) as HostOptions)

/** Lets the gateway of a test answer each LLM call that this server makes for a request of that test. */
function answerVisitors({ hosts, allowHosts }: HostOptions): void {
  const options = { hosts, allowHosts: [...allowHosts] }
  const printed = new Set<string>()
  const scopeOf = ({ headers }: IncomingMessage): Scope | undefined => {
    const base = readVisitor(headers[VISITOR_HEADER])
    if (base === undefined) return undefined
    // Requests to a gateway pass.
    const { host } = new URL(base)
    if (!options.allowHosts.includes(host)) options.allowHosts.push(host)
    return asScope({ base })
  }
  subscribe('http.server.request.start', (message) =>
    enterScope(scopeOf((message as { request: IncomingMessage }).request)),
  )
  followSockets(scopeOf)
  trackRequests((method, url) => judgeUrl(method, url, options) !== 'no')
  askGateways((scope, address) => {
    const visit = scope as unknown as Visit | undefined
    if (visit) return visit.base
    const error = ofNobody(address)
    if (!printed.has(address)) process.stderr.write(`${REFUSAL_MARK} ${error.message}\n`)
    printed.add(address)
    return error
  }, options)
}

/** Runs the events of a page's WebSocket in the scope of its test. */
function followSockets(scopeOf: (request: IncomingMessage) => Scope | undefined): void {
  replaceOnce(Server.prototype, 'emit', (emit) => {
    return function (this: Server, event: string, ...args: unknown[]) {
      if (event === 'upgrade') {
        const [request, socket] = args as [IncomingMessage, Duplex]
        const scope = scopeOf(request)
        enterScope(scope)
        const emitThere = socket.emit as (...said: unknown[]) => boolean
        socket.emit = ((...said: unknown[]) =>
          runInScope(scope as Scope, () =>
            Reflect.apply(emitThere, socket, said),
          )) as typeof socket.emit
      }
      return Reflect.apply(emit, this, [event, ...args]) as boolean
    } as typeof emit
  })
}

/** Interception in this process only carries scopes along, and reads none. */
function asScope(visit: Visit): Scope {
  return visit as unknown as Scope
}

function ofNobody(address: string): CassetteError {
  const [method, url] = address.split(' ')
  const { origin, pathname } = URL.canParse(url ?? '') ? new URL(url!) : new URL(method!)
  const why = builtin('node:worker_threads').isMainThread
    ? `This app server asks ${origin}${pathname} for no test: the request that made it ask has no header ${VISITOR_HEADER}, or there was none.\n` +
      "It is not sent. Pages have the header where the test is that of 'vitest-cassette/playwright'. Give it to clients of your own " +
      '(headers: cassette.headers), pass it on from one server to the next, and ask nothing while the server starts.'
    : `A worker thread of this app server asks ${origin}${pathname}, and a thread does not know for which request it works.\n` +
      "It is not sent. Give the client in the thread the address of the test: baseUrlFrom(request.headers, …) of 'vitest-cassette/base-url-from', called where the request arrives."
  return new CassetteError('outside-test', why)
}
