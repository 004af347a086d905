// Loaded by the guard of a process or thread, at its first connection or child.
import { unrecordedConnection } from './refused-elsewhere.ts'
import { isMainThread } from 'node:worker_threads'
import { isKeyName } from '../../../providers/stand-in-keys.ts'
import { CassetteError } from '../../../errors.ts'
import type { HostOptions } from '../call/judge-address.ts'
import { REFUSAL_MARK } from '../../refuse.ts'
import { requireFrom } from '../../../real/load-later.ts'
import { ownBaseUrls, ownProxies } from '../../child-environment.ts'
import type { ChildGuard } from './patch-starts.ts'
import {
  isGuarded,
  refusedConnection,
  type GuardPolicy,
  type JudgeConnection,
} from './guard-policy.ts'
import { setProcessOfRun } from '../context/run-process.ts'
import { childGuard, lentKeys } from './guarded-start.ts'
import { sendReport } from '../../gateway/report-files.ts'

export { guardWires } from './guard-wire.ts'
export { refusalOfRequest } from './refuse-request.ts'
export { refuseSocket } from './refuse-socket.ts'

/** Decides about the connections of a program that tests started, and about what it starts itself. */
export interface ProgramRules {
  judge: JudgeConnection
  children: ChildGuard
  /**
   * Takes back the addresses that programs other than Node's need: this guard sees every request, and SDKs read
   * addresses in their own ways. Its own children get them again.
   */
  takeAddressesBack(): void
  /** Lends keys to this thread alone, which shares its environment with others. */
  lendKeys(): void
  /** Guards what is no connection either, where nothing may leave this machine. */
  guardOtherWays(judge: JudgeConnection): void
  /** Lets the gateway answer, by the entrances that the tests have. */
  askGateway(): void
}

/** Loads what closes this machine; `undefined` where it is open. */
function closedBy({
  network,
  file,
}: GuardPolicy): typeof import('./closed-program.ts') | undefined {
  if (!network) return undefined
  return requireFrom(file)('./closed-program.cjs') as typeof import('./closed-program.ts')
}

/** The rules of this process or thread, which the test that started it made. */
export function rulesOfProgram(policy: GuardPolicy): ProgramRules {
  const printed = new Set<string>()
  const { unanswered, gateway, run } = policy
  setProcessOfRun(run)
  const where = isMainThread ? 'in a child process' : 'in a worker thread'
  const here = { where, ...(unanswered === undefined ? {} : { unanswered }) }
  const open = gateway ? [new URL(gateway.base).host] : []
  const options = {
    hosts: policy.hosts,
    allowHosts: [...policy.allowHosts, ...open],
    mcp: policy.mcp,
    held: policy.held,
    network: policy.network,
  }
  return {
    judge(connection) {
      const { host } = connection
      if (isGuarded(connection, options))
        return reportConnection(
          host,
          refusedConnection(connection, here),
          unrecordedConnection(connection, here),
        )
      const parts = closedBy(policy)
      if (!parts?.isOutside(connection, options)) return undefined
      const error = parts.closedConnection(connection, where)
      return reportConnection(host, error, error.message)
    },
    children: childGuard({
      policy: () => policy,
      refuse: (text) => reportConnection(text, new CassetteError('refused', text), text),
    }),
    takeAddressesBack() {
      if (!gateway || !isMainThread) return
      const { base } = gateway
      const own = { ...ownBaseUrls(process.env, base), ...ownProxies(process.env, base) }
      for (const [name, value] of Object.entries(own)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
    lendKeys() {
      const shared = process.env
      const lent = (name: PropertyKey): string | undefined =>
        isKeyName(name) ? lentKeys(shared, policy)[name] : undefined
      process.env = new Proxy(shared, {
        get: (env, name) => lent(name) ?? env[name as string],
        has: (env, name) => name in env || lent(name) !== undefined,
        ownKeys: (env) => [
          ...new Set([...Reflect.ownKeys(env), ...Object.keys(lentKeys(env, policy))]),
        ],
        getOwnPropertyDescriptor(env, name) {
          const value = lent(name)
          if (value === undefined) return Reflect.getOwnPropertyDescriptor(env, name)
          return { value, configurable: true, enumerable: true, writable: true }
        },
      })
    },
    guardOtherWays: (judge) => void closedBy(policy)?.guardOtherWays(judge),
    askGateway() {
      if (!gateway || gateway.isClosed) return
      const { askGateway } = requireFrom(policy.file)('./ask-gateway.cjs') as {
        askGateway(base: string, options: HostOptions): void
      }
      askGateway(gateway.base, options)
    },
  }

  /** Reports the connection, and returns its error unless the run records. */
  function reportConnection(
    about: string,
    error: CassetteError,
    unrecorded: string,
  ): Error | undefined {
    const refused = policy.records ? undefined : error
    sendReport(refused?.message ?? unrecorded, policy)
    // Where the program swallows the error, or no test collects reports, this line is all that people see.
    if ((refused || !policy.reports) && !printed.has(about))
      process.stderr.write(`${REFUSAL_MARK} ${refused?.message ?? unrecorded}\n`)
    printed.add(about)
    return refused
  }
}
