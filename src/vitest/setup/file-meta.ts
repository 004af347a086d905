import type { RunnerTestFile, RunnerTestSuite } from 'vitest'
import { takeSeenServers, type SeenServers } from '../../intercept/context/seen-servers.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set on files whose tests did not wait for requests that were recorded: the test and the address of each. */
    late?: string[]
    /** Set on files that talked to MCP servers, where the option `mcp` names some, or whose programs opened tunnels. */
    seenServers?: SeenServers
  }
}

/**
 * Writes the late requests of a file, its MCP servers and its tunnels into its meta, which the reporters of the run read.
 *
 * @param late the requests that were sent after their test had ended
 */
export function writeFileMeta({ meta }: RunnerTestSuite | RunnerTestFile, late: string[]): void {
  if (late.length > 0) meta.late = late
  const servers = takeSeenServers()
  if (Object.values(servers).some(({ length }) => length > 0)) meta.seenServers = servers
}
