import type { BenchmarkGroup, BenchOptions, BenchmarkProvider, BenchResult } from 'vitest'

/**
 * Runs each benchmark of a recording once: each of its hundreds of iterations would be paid for. In replay they all get
 * what was recorded (`repeats: 'cycle'`).
 */
const provider: BenchmarkProvider = {
  async run({ registrations }) {
    const results: BenchResult[] = []
    for (const registration of registrations) results.push(await runOnce(registration))
    return results
  },
}

export default provider

type Task = ThisParameterType<NonNullable<BenchOptions['beforeAll']>>

async function runOnce({
  name,
  fn,
  fnOpts = {},
}: BenchmarkGroup['registrations'][number]): Promise<BenchResult> {
  // A benchmark can read its task, of which it has the name alone here.
  const task = { name } as unknown as Task
  const { beforeAll, beforeEach, afterEach, afterAll } = fnOpts
  await beforeAll?.call(task, 'run')
  await beforeEach?.call(task, 'run')
  const start = performance.now()
  await fn.call(task)
  const duration = performance.now() - start
  await afterEach?.call(task, 'run')
  await afterAll?.call(task, 'run')
  return {
    name,
    state: 'completed',
    latency: statisticsOf(duration),
    throughput: statisticsOf(1_000 / duration),
    period: duration,
    totalTime: duration,
    runtime: 'node',
    runtimeVersion: process.version,
    timestampProviderName: 'performanceNow',
  }
}

/** What one sample says. */
function statisticsOf(value: number): BenchResult['latency'] {
  const none = { aad: 0, critical: 0, df: 0, mad: 0, moe: 0, rme: 0, sd: 0, sem: 0, variance: 0 }
  const ranks = { p50: value, p75: value, p99: value, p995: value, p999: value }
  return {
    ...none,
    ...ranks,
    min: value,
    max: value,
    mean: value,
    samples: undefined,
    samplesCount: 1,
  }
}
