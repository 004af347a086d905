import { join } from 'node:path'
import type { Attempt } from '../attempt/attempt.ts'
import { CassetteError } from '../errors.ts'
import type { ForeignAnswers } from '../explain/explain-foreign.ts'
import { readJsonLines } from '../json/json-lines.ts'
import { existsSync, rmSync } from '../real/files.ts'
import { shared } from '../real/shared.ts'
import { appendJsonLine } from '../secrets/notes.ts'

/** The file in the folder of a test into which its children write. */
const REPORT = 'report.jsonl'

/** The folders in which the children of a test report refused requests. */
const folders: WeakMap<Attempt, string> = new WeakMap()

/** The folder of a test, which `make` makes for its first child; empty once the test has ended. */
export function folderOf(scope: Attempt, make: () => string): string {
  const folder = folders.get(scope) ?? make()
  folders.set(scope, folder)
  return folder
}

/** Fails a test for the requests of its children that were refused, or could not be recorded. */
export function collectReports(scope: Attempt): void {
  const folder = folders.get(scope)
  // A child that starts later gets no folder, since none would be removed after this.
  if (!folder) return void folders.set(scope, '')
  const texts = takeReports(folder)
  rmSync(folder, { recursive: true, force: true })
  const [first, ...others] = new Set(texts)
  if (first === undefined) return
  // A recording that no replay can follow fails too. Only the first can be the failure.
  scope.reject(new CassetteError('refused', first))
  for (const text of others) console.warn(`[vitest-cassette] ${text}`)
}

/** The reports in a folder, which are taken out of it. */
export function takeReports(folder: string): string[] {
  const file = join(folder, REPORT)
  const texts = readJsonLines<string>(file)
  rmSync(file, { force: true })
  return texts
}

/** Writes a report for the test that started this child. */
export function sendReport(
  text: string,
  { folder, reports }: { folder?: string; reports?: boolean },
): void {
  // The test has removed its folder at its end.
  if (!reports || !folder || !existsSync(folder)) return
  appendJsonLine(join(folder, REPORT), text)
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
}

/** What is noted and not taken yet. */
const seen = shared('seen-servers', () => ({
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

/** Notes a server that a name of the option covers. */
export function noteFound(name: string): void {
  seen.found.add(name)
}

/** Notes a tunnel that leads past the gateway. */
export function noteTunnel(host: string, program: string): void {
  if (!seen.tunnels.has(host)) seen.tunnels.set(host, program)
}
