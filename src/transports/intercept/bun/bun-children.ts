import { replaceOnce } from '../../../real/builtin.ts'
import type { ChildGuard } from '../guard/patch-starts.ts'
import { environmentOf, envPairsOf } from '../mcp/started-command.ts'

interface SpawnOptions {
  cmd?: string[]
  env?: NodeJS.ProcessEnv
}

/** Starts a program: by its command, or by options that have it. */
type Spawn = (first: string[] | SpawnOptions, options?: SpawnOptions) => unknown

const bun = (globalThis as unknown as { Bun: Record<'spawn' | 'spawnSync', Spawn> }).Bun

/**
 * Gives the programs that start here their way to the gateway. `node:child_process` starts them by these two as well.
 * Returns a function that ends this.
 */
export function guardBunChildren(guard: () => ChildGuard): () => void {
  const wrap =
    (isWaitedFor: boolean) =>
    (spawn: Spawn): Spawn =>
    (first, options) => {
      const given = Array.isArray(first) ? { ...options, cmd: first } : first
      const { cmd: [file = '', ...args] = [], env = process.env } = given
      const start = { file, args: [file, ...args], envPairs: envPairsOf(env) }
      const guarded = environmentOf(guard().prepare(start, isWaitedFor))
      return spawn.call(bun, { ...given, env: guarded })
    }
  const undo = [replaceOnce(bun, 'spawn', wrap(false)), replaceOnce(bun, 'spawnSync', wrap(true))]
  return () => undo.forEach((end) => end())
}
