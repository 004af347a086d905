import type { RunnerTestCase, RunnerTestSuite, TestError } from 'vitest'
import { disarm } from '../../../text/printable.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'

const TEXTS = ['message', 'stack', 'diff', 'actual', 'expected'] as const

/**
 * Disarms error texts: an assertion prints the answer on which it fails, and a terminal or CI runner would obey it. An
 * application quotes its keys, and only this process knows those that it has set itself.
 */
export function disarmErrors({ result }: RunnerTestCase | RunnerTestSuite): void {
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
