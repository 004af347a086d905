import { say } from '../attempt/say.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { CassetteError, stackLines, withFrames } from '../errors.ts'
import type { ForeignAnswers } from '../explain/explain-foreign.ts'
import { shared } from '../real/shared.ts'

/** A refused request of a child, or one that cannot be recorded. */
interface Report {
  text: string
  /** Names the line that started the child, where that is known. */
  callSite?: Error
}

/** A folder in which the children of a test report refused requests. */
interface ReportFolder {
  path: string
  /** Takes the reports and the folder away. */
  take: () => Report[]
}

const folders: WeakMap<Attempt, ReportFolder> = new WeakMap()

/** None is made once a test has ended, since none would be removed after this. */
const ENDED: ReportFolder = { path: '', take: () => [] }

/** The folder of a test, which `make` makes for its first child; empty once the test has ended. */
export function folderOf(scope: Attempt, make: () => ReportFolder): string {
  const folder = folders.get(scope) ?? make()
  folders.set(scope, folder)
  return folder.path
}

/** Fails a test for the requests of its children that were refused, or could not be recorded. */
export function collectReports(scope: Attempt): void {
  const folder = folders.get(scope)
  if (!folder) return void folders.set(scope, ENDED)
  const reports = new Map(folder.take().map((one) => [one.text, one]))
  const [first, ...others] = reports.values()
  if (first === undefined) return
  const error = new CassetteError('refused', first.text)
  // A recording that no replay can follow fails too. Only the first can be the failure.
  scope.reject(first.callSite ? withFrames(error, stackLines(first.callSite)) : error)
  for (const { text } of others) say(`[vitest-cassette] ${text}`)
}

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
  /** The hosts that a recording asked and cannot replay, where the network is closed then, each with what was asked first. */
  out: Array<[host: string, asked: string]>
  /** The local servers that got a prompt which a recording let pass, each with what was asked first. */
  local: Array<[host: string, asked: string]>
}

/** What is noted and not taken yet. */
export const seen = shared('seen-servers', () => ({
  found: new Set<string>(),
  others: new Set<string>(),
  tunnels: new Map<string, string>(),
  foreign: new Map<string, ForeignAnswers>(),
  out: new Map<string, string>(),
  local: new Map<string, string>(),
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
    out: [...seen.out],
    local: [...seen.local],
  }
  for (const one of Object.values(seen)) one.clear()
  return taken
}

/** Notes a server that a name of the option covers. */
export function noteFound(name: string): void {
  seen.found.add(name)
}

/** Notes a tunnel that leads past the gateway. */
export function noteTunnel(host: string, program: string): void {
  if (!seen.tunnels.has(host)) seen.tunnels.set(host, program)
}
