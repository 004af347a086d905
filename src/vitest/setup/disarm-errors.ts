import type { RunnerTestCase, TestError } from 'vitest'
import { disarm } from '../../diff/render/printable.ts'

const TEXTS = ['message', 'stack', 'diff', 'actual', 'expected'] as const

/** Disarms error texts: an assertion prints the answer on which it fails, and a terminal or CI runner would obey it. */
export function disarmErrors({ result }: RunnerTestCase): void {
  for (const error of result?.errors ?? []) disarmError(error)
}

function disarmError(error: TestError): void {
  for (const name of TEXTS) if (typeof error[name] === 'string') error[name] = disarm(error[name])
  if (error.cause) disarmError(error.cause)
}
