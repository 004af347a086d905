import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PoolRunnerInitializer } from 'vitest/node'

/** A pool that has its own way to prepare its workers, and reads no set-up files. */
export const withoutSetUp: PoolRunnerInitializer = {
  name: 'a-pool-of-its-own',
  createPoolWorker({ env, execArgv }) {
    let child: ChildProcess
    return {
      name: 'a-pool-of-its-own',
      on: (event, listener) => void child.on(event, listener),
      off: (event, listener) => void child.off(event, listener),
      send: (message) => void child.send(message),
      deserialize: (data) => data,
      async start() {
        child ??= fork(fileURLToPath(new URL('./worker.mjs', import.meta.url)), [], {
          env: env as NodeJS.ProcessEnv,
          execArgv,
          serialization: 'advanced',
        })
      },
      async stop() {
        const exited = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await exited
      },
    }
  },
}
