// Loaded by `--require` into the processes and threads that tests start; a file of its own without msw.
import { getEnvironmentData, isMainThread } from 'node:worker_threads'
import { requireFrom } from '../../../real/load-later.ts'
import { setUp } from '../../../real/real-world.ts'
import { GUARD_VARIABLE } from './guard-variable.ts'
import { patchStarts } from './patch-starts.ts'
import { guardHttp2, guardNames } from './guard-clients.ts'
import type { GuardPolicy, JudgeConnection } from './guard-policy.ts'
import type { ProgramRules } from './program-rules.ts'
import { guardSockets, isCurrentJudge } from './guard.ts'

const given = isMainThread ? process.env[GUARD_VARIABLE] : getEnvironmentData(GUARD_VARIABLE)
// Deno reads NODE_OPTIONS too, and sends by ways of its own: it asks by its base URL, or its proxy.
const isDeno = 'Deno' in globalThis
if (!isDeno && typeof given === 'string' && given !== '') {
  setUp.isRunning = true
  guard(JSON.parse(given) as GuardPolicy)
  setUp.isRunning = false
}

/**
 * Guards this process. The rules load at its first connection or child, since each worker of Vitest loads this file,
 * and few need them.
 */
function guard(policy: GuardPolicy): void {
  let part: typeof import('./program-rules.ts') | undefined
  let known: ProgramRules | undefined
  const load = (): NonNullable<typeof part> =>
    (part ??= requireFrom(policy.file)('./program-rules.cjs') as NonNullable<typeof part>)
  const rules = (): ProgramRules => (known ??= load().rulesOfProgram(policy))
  if (policy.gateway) rules().takeAddressesBack()
  if (policy.sharesEnv && policy.lends) rules().lendKeys()
  const judge: JudgeConnection = (connection) => rules().judge(connection)
  guardSockets(judge, load)
  // In a worker of Vitest interception takes over, and sees these requests by itself.
  const untilTests: JudgeConnection = (connection) =>
    isCurrentJudge(judge) ? judge(connection) : undefined
  guardNames(untilTests)
  guardHttp2(untilTests, load)
  if (policy.network) rules().guardOtherWays(untilTests)
  // The entrances to the gateway lie above the guard, which then sees the remaining requests only.
  if (policy.gateway) rules().askGateway()
  patchStarts(() => rules().children)
}
