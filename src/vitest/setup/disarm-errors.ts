import type { RunnerTestCase, TestError } from 'vitest'
import { disarm } from '../../diff/render/printable.ts'

const TEXTS = ['message', 'stack', 'diff', 'actual', 'expected'] as const

/** An assertion prints the answer that it fails on, which a terminal and a CI runner would obey. */
export function disarmErrors({ result }: RunnerTestCase): void {
  for (const error of result?.errors ?? []) disarmError(error)
}

function disarmError(error: TestError): void {
  for (const name of TEXTS) if (typeof error[name] === 'string') error[name] = disarm(error[name])
  if (error.cause) disarmError(error.cause)
}
