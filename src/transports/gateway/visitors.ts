// Loaded by `--require` into app servers that many tests ask at the same time; a file of its own without msw.
import { CassetteError } from '../../errors.ts'
import { REFUSAL_MARK } from '../refuse.ts'
import type { HostOptions } from '../intercept/call/judge-address.ts'
import { builtin } from '../../real/builtin.ts'
import { askGateways } from './ask-gateway.ts'
import { baseOfVisit, followVisits } from './follow-visits.ts'
import { VISITOR_HEADER, VISITORS_VARIABLE } from '../address.ts'

const given = process.env[VISITORS_VARIABLE]
if (given) answerVisitors(JSON.parse(given) as HostOptions)

/** Lets the gateway of a test answer each LLM call that this server makes for a request of that test. */
function answerVisitors({ hosts, allowHosts }: HostOptions): void {
  const options = { hosts, allowHosts: [...allowHosts] }
  const printed = new Set<string>()
  // Requests to a gateway pass.
  followVisits((host) => {
    if (!options.allowHosts.includes(host)) options.allowHosts.push(host)
  })
  askGateways((scope, address) => {
    const base = baseOfVisit(scope)
    if (base !== undefined) return base
    const error = ofNobody(address)
    if (!printed.has(address)) process.stderr.write(`${REFUSAL_MARK} ${error.message}\n`)
    printed.add(address)
    return error
  }, options)
}

function ofNobody(address: string): CassetteError {
  const [method, url] = address.split(' ')
  const { origin, pathname } = URL.canParse(url ?? '') ? new URL(url!) : new URL(method!)
  const why = builtin('node:worker_threads').isMainThread
    ? `This app server asks ${origin}${pathname} for no test: the request that made it ask has no header ${VISITOR_HEADER}, or there was none.\n` +
      "It is not sent. Pages have the header where the test is that of 'vitest-cassette/playwright'. Give it to clients of your own " +
      '(headers: cassette.headers; for a WebSocket of a page, a cookie of that name), pass it on from one server to the next, and ask nothing while the server starts.'
    : `A worker thread of this app server asks ${origin}${pathname}, and a thread does not know for which request it works.\n` +
      "It is not sent. Give the client in the thread the address of the test: baseUrlFrom(request.headers, …) of 'vitest-cassette/base-url-from', called where the request arrives."
  return new CassetteError('outside-test', why)
}
