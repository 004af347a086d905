// Loaded by `--require` into the processes and threads that tests start; a file of its own without msw.
import { appendFileSync } from 'node:fs'
import { getEnvironmentData, isMainThread } from 'node:worker_threads'
import { guardChildren, GUARD_VARIABLE } from './guard-children.ts'
import {
  isGuarded,
  refusedConnection,
  unrecordedConnection,
  type GuardPolicy,
} from './guard-policy.ts'
import { guardNames } from './guard-names.ts'
import { guardTunnels } from './guard-tunnels.ts'
import { guardSockets, isCurrentJudge, type JudgeConnection } from './guard.ts'

const given = isMainThread ? process.env[GUARD_VARIABLE] : getEnvironmentData(GUARD_VARIABLE)
if (typeof given === 'string' && given !== '') guard(JSON.parse(given) as GuardPolicy)

function guard(policy: GuardPolicy): void {
  const told = new Set<string>()
  const judge: JudgeConnection = (connection) => {
    if (!isGuarded(connection, policy)) return undefined
    const where = isMainThread ? 'in a child process' : 'in a worker thread'
    const error = policy.records ? undefined : refusedConnection(connection, where)
    const text = error?.message ?? unrecordedConnection(connection, where)
    if (policy.report) appendFileSync(policy.report, `${JSON.stringify(text)}\n`)
    // Where the program swallows the error, this is all that people see.
    if (error && !told.has(connection.host)) process.stderr.write(`[vitest-cassette] ${text}\n`)
    told.add(connection.host)
    return error
  }
  guardSockets(judge)
  // In a worker of Vitest interception takes over, and sees names and tunnels by itself.
  const untilTests: JudgeConnection = (connection) =>
    isCurrentJudge(judge) ? judge(connection) : undefined
  guardNames(untilTests)
  guardTunnels(untilTests)
  guardChildren(() => policy)
}
