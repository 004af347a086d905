import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite, TestError } from 'vitest'
import type { Attempt } from '../../../attempt/attempt.ts'
import { countAttempt } from '../../../attempt/count-requests.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'
import type { ForeignAnswers } from '../../../explain/explain-foreign.ts'
import type { ReportedFailure } from '../../../explain/failure.ts'
import type { FindElsewhere } from '../../../explain/elsewhere.ts'
import type { AttemptOutcome } from '../../../explain/judge-attempt.ts'
import { realTime } from '../../../real/clock.ts'
import { loadLater } from '../../../real/load-later.ts'
import { asFailure } from '../../../real/real-world.ts'
import { disarm, printable } from '../../../text/printable.ts'
import { failInNode } from './fail-in-node.ts'
import { owesNothing } from './owes-nothing.ts'
import { outcomeOfFile, outcomeOfTest, type StandingFailures } from './outcome.ts'
import { countSamples } from './samples.ts'
import { nameSharedCalls, settleLent, waitForOthers } from './settle-lent.ts'

const loadElsewhere = loadLater('./find-elsewhere.mjs', () => import('./find-elsewhere.ts'))

/** Waits for the tests that run beside one that has passed. */
export async function waitBeside(attempt: Attempt, task: RunnerTestCase): Promise<void> {
  if (outcomeOfTest(task).passed) await waitForOthers(attempt)
}

/** Closes a test whose requests have ended. */
export async function closeTest(
  attempt: Attempt,
  standing: StandingFailures<ReportedFailure>,
  task: RunnerTestCase,
  root: string,
  color: boolean,
): Promise<void> {
  await settleLent(attempt, outcomeOfTest(task).passed)
  const failure = standing.take(task, await judgeTest(attempt, task, root, color))
  if (failure) failInNode(task, [failure], root)
}

async function judgeTest(
  attempt: Attempt,
  task: RunnerTestCase,
  root: string,
  color: boolean,
): Promise<ReportedFailure | undefined> {
  if (owesNothing(attempt)) return void attempt.abandon()
  const elsewhere: FindElsewhere = ({ hash }) =>
    loadElsewhere().findElsewhere(attempt, task, root, hash)
  return closeAttempt(attempt, task, { ...outcomeOfTest(task), elsewhere }, color)
}

/** Ends the attempt of a test or a file, notes what it asked, and makes the errors so far harmless. */
async function closeAttempt(
  attempt: Attempt,
  task: RunnerTestCase | RunnerTestSuite,
  soFar: Omit<AttemptOutcome, 'now' | 'color'>,
  color: boolean,
): Promise<ReportedFailure | undefined> {
  try {
    const ended = await attempt.close({ ...soFar, now: realTime(), color })
    const { failure } = ended
    // An attempt before may have failed.
    if (!failure && soFar.passed) delete task.meta.llmConversation
    // Before the counts: pages show the entries in their order.
    else if (task.type === 'test')
      task.meta.llmConversation = loadExplain().tellConversations(attempt.session)
    const counts = countAttempt(attempt, soFar.passed, ended)
    const { sample } = attempt.owner
    task.meta.cassette =
      task.type === 'test' && task.repeats ? countSamples(task, sample, counts) : counts
    return failure
  } catch (error) {
    task.meta.cassette = undefined
    // Thrown as it is, `test.fails` would count it as the expected one.
    const { code, message } = asFailure(error as Error)
    const [headline = '', ...details] = message.split('\n')
    return { code, headline, details: details.join('\n') }
  } finally {
    disarmErrors(task)
  }
}

/** Judges what a file asked outside of its tests. */
export async function judgeFile(
  attempt: Attempt,
  file: RunnerTestSuite | RunnerTestFile,
  color: boolean,
): Promise<ReportedFailure | undefined> {
  const outcome = outcomeOfFile(file)
  if (attempt.lent.length > 0) await settleLent(attempt, outcome.passed)
  nameSharedCalls(attempt)
  return closeAttempt(attempt, file, outcome, color)
}

const TEXTS = ['message', 'stack', 'diff', 'actual', 'expected'] as const

/**
 * Disarms error texts: an assertion prints the answer on which it fails, and a terminal or CI runner would obey it. An
 * application quotes its keys, and only this process knows those that it has set itself.
 */
function disarmErrors({ result }: RunnerTestCase | RunnerTestSuite): void {
  for (const error of result?.errors ?? []) disarmError(error)
}

function disarmError(error: TestError): void {
  const { redactKnown } = loadExplain()
  for (const name of TEXTS) {
    const text = error[name]
    if (typeof text === 'string') error[name] = redactKnown(disarm(text), process.env)
  }
  if (error.cause) disarmError(error.cause)
}

/** Names who answered LLM calls in our place, where no reporter does. */
export function warnOfForeign(answers: readonly ForeignAnswers[]): void {
  const text = loadExplain().explainForeign(answers)!
  console.warn(`[vitest-cassette] ${printable(text)}`)
}
