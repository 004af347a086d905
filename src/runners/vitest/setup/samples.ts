import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'
import type { CassetteMeta } from '../../../attempt/count-requests.ts'
import { eachTest } from './titles.ts'

/** Repeats the tests of a file that do not repeat themselves as often. */
export function repeatTests(
  { tasks }: RunnerTestSuite | RunnerTestFile,
  samples: number,
  isLeftOut: (test: RunnerTestCase) => boolean = () => false,
): void {
  eachTest(tasks, (test) => {
    if (!isLeftOut(test)) test.repeats = Math.max(test.repeats ?? 0, samples - 1)
  })
}

/** The attempt of a test that began last. */
interface LastAttempt {
  sample: number
  retries: number
}

const last = new WeakMap<RunnerTestCase, LastAttempt>()

/**
 * The sample of an attempt that begins now, from 2 on. Vitest counts a repeat after its hooks have begun, but a retry
 * before: an attempt that is no retry is the next repeat.
 */
export function nextSample(test: RunnerTestCase): number | undefined {
  const retries = test.result?.retryCount ?? 0
  const before = last.get(test)
  const sample = !before ? 1 : before.sample + (retries > before.retries ? 0 : 1)
  // A worker that runs a file again, as in watch mode, begins with the first repeat.
  const current = sample > (test.repeats ?? 0) + 1 ? 1 : sample
  last.set(test, { sample: current, retries })
  return current > 1 ? current : undefined
}

const counted = new WeakMap<RunnerTestCase, Map<number, CassetteMeta>>()

/** The counts of all samples of a test so far. The last attempt of a sample is the one that counts. */
export function countSamples(
  test: RunnerTestCase,
  sample: number = 1,
  counts: CassetteMeta,
): CassetteMeta {
  const all = sample > 1 ? (counted.get(test) ?? new Map<number, CassetteMeta>()) : new Map()
  counted.set(test, all.set(sample, counts))
  return [...all.values()].reduce(added)
}

function added(one: CassetteMeta, other: CassetteMeta): CassetteMeta {
  const names = Object.keys({ ...one, ...other }) as Array<keyof CassetteMeta>
  const sums = names.map((name) => [name, sumOf(one[name], other[name])])
  const passed = one.passed === false ? false : other.passed
  return { ...(Object.fromEntries(sums) as CassetteMeta), passed }
}

/** The sum of numbers, lists, and objects of numbers; of anything else the later one. */
function sumOf(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return other ?? one
  if (typeof one === 'number') return one + (other as number)
  if (Array.isArray(one)) return [...(one as unknown[]), ...(other as unknown[])]
  if (!isOfNumbers(one) || !isOfNumbers(other)) return other
  const names = Object.keys({ ...one, ...other })
  return Object.fromEntries(names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))
}

function isOfNumbers(value: unknown): value is Record<string, number> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'number')
  )
}
