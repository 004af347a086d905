import type { RunnerTestFile, RunnerTestSuite } from 'vitest'
import { printable } from '../../diff/render/printable.ts'
import { takeSeenServers, type SeenServers } from '../../intercept/context/seen-servers.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set on files whose calls are answered here. */
    isSetUp?: true
    /** Set on files that talked to MCP servers, where the option `mcp` names some, or whose programs opened tunnels. */
    seenServers?: SeenServers
  }
}

/** Writes what a file has seen into its meta, which the reporters of the run read, or prints it where there are none. */
export async function writeFileMeta(
  { meta }: RunnerTestSuite | RunnerTestFile,
  hasReporters: boolean,
): Promise<void> {
  const servers = takeSeenServers()
  if (servers.foreign.length > 0 && !hasReporters) {
    const { explainForeign } = await import('../../explain/explain-foreign.ts')
    console.warn(`[vitest-cassette] ${printable(explainForeign(servers.foreign)!)}`)
  }
  if (Object.values(servers).some(({ length }) => length > 0)) meta.seenServers = servers
}
