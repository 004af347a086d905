import type { RunnerTestFile, RunnerTestSuite } from 'vitest'
import { takeSeenServers, type SeenServers } from '../../intercept/context/seen-servers.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set on files whose tests did not wait for requests that were recorded: the test and the address of each. */
    late?: string[]
    /** Set on files that talked to MCP servers, where the option `mcp` names some. */
    mcpServers?: SeenServers
  }
}

/**
 * Writes the late requests and the MCP servers of a file into its meta, which the reporters of the run read.
 *
 * @param late the requests that were sent after their test had ended
 */
export function writeFileMeta({ meta }: RunnerTestSuite | RunnerTestFile, late: string[]): void {
  if (late.length > 0) meta.late = late
  const servers = takeSeenServers()
  if (servers.found.length + servers.others.length > 0) meta.mcpServers = servers
}
