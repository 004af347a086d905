import type { RunnerTestFile, RunnerTestSuite } from 'vitest'
import { printable } from '../../../text/printable.ts'
import { loadExplain } from '../../../attempt/load-explain.ts'
import { takeSeenServers, type SeenServers } from '../../../transports/reports.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set on files whose calls are answered here. */
    isSetUp?: true
    /** Set on files that talked to MCP servers, where the option `mcp` names some, or whose programs opened tunnels. */
    seenServers?: SeenServers
  }
}

/** Writes what a file has seen into its meta, which the reporters of the run read, or prints it where there are none. */
export function writeFileMeta(
  { meta }: RunnerTestSuite | RunnerTestFile,
  hasReporters: boolean,
): void {
  const servers = takeSeenServers()
  if (servers.foreign.length > 0 && !hasReporters) {
    const text = loadExplain().explainForeign(servers.foreign)!
    console.warn(`[vitest-cassette] ${printable(text)}`)
  }
  if (Object.values(servers).some(({ length }) => length > 0)) meta.seenServers = servers
}
