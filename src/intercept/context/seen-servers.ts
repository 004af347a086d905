import { shared } from '../../real/shared.ts'

/** The MCP servers of a test file, and the tunnels of its programs. */
export interface SeenServers {
  /** The names of the option whose servers were used. */
  found: string[]
  /** The commands and addresses of servers that no name of the option covers. */
  others: string[]
  /** The hosts to which programs opened tunnels into which nobody here can see, each with the first such program. */
  tunnels: Array<[host: string, program: string]>
}

/** What is noted and not taken yet. */
export const seen = shared('seen-servers', () => ({
  found: new Set<string>(),
  others: new Set<string>(),
  tunnels: new Map<string, string>(),
}))

/** Notes a server that stays real. */
export function noteOther(place: string): void {
  seen.others.add(place)
}

/** Takes the notes since the last call. */
export function takeSeenServers(): SeenServers {
  const taken = { found: [...seen.found], others: [...seen.others], tunnels: [...seen.tunnels] }
  for (const one of Object.values(seen)) one.clear()
  return taken
}
