import { shared } from '../patch/shared.ts'

/** The MCP servers of a test file. */
export interface SeenServers {
  /** The names of the option that were found. */
  found: string[]
  /** The commands and addresses of those that no name of the option is in. */
  others: string[]
}

const seen = shared('seen-servers', () => ({ found: new Set<string>(), others: new Set<string>() }))

/** Takes note of a server that a name of the option stands for. */
export function noteFound(name: string): void {
  seen.found.add(name)
}

/** Takes note of a server that stays real. */
export function noteOther(place: string): void {
  seen.others.add(place)
}

/** What was noted since this was called last. */
export function takeSeenServers(): SeenServers {
  const taken = { found: [...seen.found], others: [...seen.others] }
  seen.found.clear()
  seen.others.clear()
  return taken
}
