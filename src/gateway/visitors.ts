// Loaded by `--require` into app servers that many tests ask at the same time; a file of its own without msw.
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { CassetteError } from '../errors.ts'
import { REFUSAL_MARK } from '../intercept/call/refuse.ts'
import { judgeUrl, type HostOptions } from '../intercept/call/llm-call.ts'
import { trackRequests } from '../intercept/context/request-context.ts'
import { enterScope, type Scope } from '../intercept/context/scope.ts'
import { askGateways } from './ask-gateway.ts'
import { readVisitor, VISITOR_HEADER, VISITORS_VARIABLE } from './visitor-header.ts'

/** A request to this server, as interception carries it to what is asked because of it. */
interface Visit {
  base: string
}

const given = process.env[VISITORS_VARIABLE]
if (given) answerVisitors(JSON.parse(given) as HostOptions)

/** Has each LLM call answered by the gateway of the test whose request to this server it is made for. */
function answerVisitors({ hosts, allowHosts }: HostOptions): void {
  // What goes to a gateway is on its way already.
  const gateways: string[] = []
  const options = { hosts, allowHosts: [...allowHosts] }
  const told = new Set<string>()
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    const base = readVisitor(request.headers[VISITOR_HEADER])
    const host = base && new URL(base).host
    if (host && !gateways.includes(host)) {
      gateways.push(host)
      options.allowHosts.push(host)
    }
    enterScope(base === undefined ? undefined : asScope({ base }))
  })
  trackRequests((method, url) => judgeUrl(method, url, options) !== 'no')
  askGateways((scope, address) => {
    const visit = scope as unknown as Visit | undefined
    if (visit) return visit.base
    const error = ofNobody(address)
    if (!told.has(address)) process.stderr.write(`${REFUSAL_MARK} ${error.message}\n`)
    told.add(address)
    return error
  }, options)
}

/** In this process interception only carries scopes along, and looks into none. */
function asScope(visit: Visit): Scope {
  return visit as unknown as Scope
}

function ofNobody(address: string): CassetteError {
  const [method, url] = address.split(' ')
  const { origin, pathname } = URL.canParse(url ?? '') ? new URL(url!) : new URL(method!)
  return new CassetteError(
    'outside-test',
    `This app server asks ${origin}${pathname} for no test: the request that made it ask has no header ${VISITOR_HEADER}, or there was none.\n` +
      "It is not sent. Pages have the header where the test is that of 'vitest-cassette/playwright'. Give it to clients of your own " +
      '(headers: cassette.headers), pass it on from one server to the next, and ask nothing while the server starts.',
  )
}
