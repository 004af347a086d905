import type { ForeignAnswers } from '../../explain/explain-foreign.ts'
import { shared } from '../../real/shared.ts'

/** The MCP servers of a test file, the tunnels of its programs, and who answered LLM calls in our place. */
export interface SeenServers {
  /** The names of the option whose servers were used. */
  found: string[]
  /** The commands and addresses of servers that no name of the option covers. */
  others: string[]
  /** The hosts to which programs opened tunnels into which nobody here can see, each with the first such program. */
  tunnels: Array<[host: string, program: string]>
  /** The LLM calls that others answered while we recorded. */
  foreign: ForeignAnswers[]
}

/** What is noted and not taken yet. */
export const seen = shared('seen-servers', () => ({
  found: new Set<string>(),
  others: new Set<string>(),
  tunnels: new Map<string, string>(),
  foreign: new Map<string, ForeignAnswers>(),
}))

/** Notes a server that stays real. */
export function noteOther(place: string): void {
  seen.others.add(place)
}

/** Notes an LLM call that others answered. */
export function noteForeign(host: string, by: string, isRecorded: boolean = false): void {
  const key = `${host} ${by} ${isRecorded}`
  const known = seen.foreign.get(key)
  if (known) known.count++
  else seen.foreign.set(key, { host, by, count: 1, isRecorded })
}

/** Takes the notes since the last call. */
export function takeSeenServers(): SeenServers {
  const taken = {
    found: [...seen.found],
    others: [...seen.others],
    tunnels: [...seen.tunnels],
    foreign: [...seen.foreign.values()],
  }
  for (const one of Object.values(seen)) one.clear()
  return taken
}
