// Loaded by `--require` into the processes and threads that tests start; a file of its own without msw.
import { getEnvironmentData, isMainThread } from 'node:worker_threads'
import { CassetteError } from '../../errors.ts'
import { guardChildren, GUARD_VARIABLE } from './guard-children.ts'
import {
  isGuarded,
  refusedConnection,
  unrecordedConnection,
  type GuardPolicy,
  type JudgeConnection,
} from './guard-policy.ts'
import { report } from './guard-folder.ts'
import { guardHttp2 } from './guard-http2.ts'
import { guardNames } from './guard-names.ts'
import { guardSockets, isCurrentJudge } from './guard.ts'
import type { HostOptions } from '../call/llm-call.ts'
import { REFUSAL_MARK } from '../call/refuse.ts'
import { builtin } from '../patch/builtin.ts'
import { ownBaseUrls } from '../redirect/base-urls.ts'
import { ownProxies } from '../redirect/proxies.ts'

const given = isMainThread ? process.env[GUARD_VARIABLE] : getEnvironmentData(GUARD_VARIABLE)
if (typeof given === 'string' && given !== '') guard(JSON.parse(given) as GuardPolicy)

function guard(policy: GuardPolicy): void {
  const told = new Set<string>()
  if (policy.gateway && isMainThread) takeAddressesBack(policy.gateway.base)
  const { unanswered } = policy
  const where = isMainThread ? 'in a child process' : 'in a worker thread'
  const here = { where, ...(unanswered === undefined ? {} : { unanswered }) }
  /** Gives the error, unless the run records. */
  const tell = (about: string, error: CassetteError, unrecorded: string): Error | undefined => {
    const refused = policy.records ? undefined : error
    report(refused?.message ?? unrecorded, policy)
    // Where the program swallows the error, or no test collects reports, this is all that people see.
    if ((refused || !policy.reports) && !told.has(about))
      process.stderr.write(`${REFUSAL_MARK} ${refused?.message ?? unrecorded}\n`)
    told.add(about)
    return refused
  }
  const open = policy.gateway ? [new URL(policy.gateway.base).host] : []
  const options = {
    hosts: policy.hosts,
    allowHosts: [...policy.allowHosts, ...open],
    mcp: policy.mcp,
  }
  const judge: JudgeConnection = (connection) =>
    isGuarded(connection, options)
      ? tell(
          connection.host,
          refusedConnection(connection, here),
          unrecordedConnection(connection, here),
        )
      : undefined
  guardSockets(judge)
  // In a worker of Vitest interception takes over, and sees these by itself.
  const untilTests: JudgeConnection = (connection) =>
    isCurrentJudge(judge) ? judge(connection) : undefined
  guardNames(untilTests)
  guardHttp2(untilTests)
  // Over the guard, so that only what the gateway is not asked for comes to it.
  if (policy.gateway && !policy.gateway.isClosed)
    askGatewayOf(policy.gateway.base, policy.file, options)
  guardChildren({
    policy: () => policy,
    refuse: (text) => tell(text, new CassetteError('refused', text), text),
  })
}

/** Takes the addresses back that other programs need: the guard sees what is asked, and SDKs read them in their own ways. */
function takeAddressesBack(base: string): void {
  const own = { ...ownBaseUrls(process.env, base), ...ownProxies(process.env, base) }
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

/** Lets the gateway answer, by the entrances that the tests have. */
function askGatewayOf(base: string, file: string, options: HostOptions): void {
  const { askGateway } = builtin('node:module').createRequire(file)('./ask-gateway.cjs') as {
    askGateway(base: string, options: HostOptions): void
  }
  askGateway(base, options)
}
