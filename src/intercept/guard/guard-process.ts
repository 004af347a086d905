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
import { REFUSAL_MARK } from '../call/refuse.ts'

const given = isMainThread ? process.env[GUARD_VARIABLE] : getEnvironmentData(GUARD_VARIABLE)
if (typeof given === 'string' && given !== '') guard(JSON.parse(given) as GuardPolicy)

function guard(policy: GuardPolicy): void {
  const told = new Set<string>()
  const where = isMainThread ? 'in a child process' : 'in a worker thread'
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
  const options = { hosts: policy.hosts, allowHosts: [...policy.allowHosts, ...open] }
  const judge: JudgeConnection = (connection) =>
    isGuarded(connection, options)
      ? tell(
          connection.host,
          refusedConnection(connection, where),
          unrecordedConnection(connection, where),
        )
      : undefined
  guardSockets(judge)
  // In a worker of Vitest interception takes over, and sees these by itself.
  const untilTests: JudgeConnection = (connection) =>
    isCurrentJudge(judge) ? judge(connection) : undefined
  guardNames(untilTests)
  guardHttp2(untilTests)
  guardChildren({
    policy: () => policy,
    refuse: (text) => tell(text, new CassetteError('refused', text), text),
  })
}
