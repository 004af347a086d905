import { builtin } from '../../../real/builtin.ts'
import { shared } from '../../../real/shared.ts'

const run = shared<{ pid?: number }>('run-process')

/** Names the process that began this run. */
export function setProcessOfRun(pid: number | undefined): void {
  run.pid = pid
}

/** Variables by which runners number their workers. */
const OF_WORKERS = ['VITEST_POOL_ID', 'JEST_WORKER_ID', 'MOCHA_WORKER_ID', 'TEST_WORKER_INDEX']

/** The process that began this run: all others of it lie below. Runners start their workers themselves. */
export function processOfRun(): number {
  if (run.pid !== undefined) return run.pid
  const { env, pid, ppid } = process
  const isNumbered = process.send !== undefined && OF_WORKERS.some((name) => env[name])
  const isWorker = isNumbered || env.NODE_TEST_CONTEXT !== undefined
  return (run.pid = isWorker && builtin('node:worker_threads').isMainThread ? ppid : pid)
}
