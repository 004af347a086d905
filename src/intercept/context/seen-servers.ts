import { shared } from '../patch/shared.ts'

/** The MCP servers of a test file. */
export interface SeenServers {
  /** The names of the option whose servers were used. */
  found: string[]
  /** The commands and addresses of servers that no name of the option covers. */
  others: string[]
}

const seen = shared('seen-servers', () => ({ found: new Set<string>(), others: new Set<string>() }))

/** Notes a server that a name of the option covers. */
export function noteFound(name: string): void {
  seen.found.add(name)
}

/** Notes a server that stays real. */
export function noteOther(place: string): void {
  seen.others.add(place)
}

/** Takes the notes since the last call. */
export function takeSeenServers(): SeenServers {
  const taken = { found: [...seen.found], others: [...seen.others] }
  seen.found.clear()
  seen.others.clear()
  return taken
}
