import type { RunnerTestFile, RunnerTestSuite } from 'vitest'
import { takeSeenServers, type SeenServers } from '../../intercept/context/seen-servers.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set on files whose calls are answered here. */
    isSetUp?: true
    /** Set on files that talked to MCP servers, where the option `mcp` names some, or whose programs opened tunnels. */
    seenServers?: SeenServers
  }
}

/** Writes the MCP servers and the tunnels of a file into its meta, which the reporters of the run read. */
export function writeFileMeta({ meta }: RunnerTestSuite | RunnerTestFile): void {
  const servers = takeSeenServers()
  if (Object.values(servers).some(({ length }) => length > 0)) meta.seenServers = servers
}
