import { join } from 'node:path'
import { existsSync, rmSync } from '../../real/files.ts'
import { CassetteError } from '../../errors.ts'
import type { Attempt } from '../../host/attempt.ts'
import { readJsonLines } from '../../json/json-lines.ts'
import { appendJsonLine } from '../../secrets/notes/notes.ts'

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
export function report(
  text: string,
  { folder, reports }: { folder?: string; reports?: boolean },
): void {
  // The test has removed its folder at its end.
  if (!reports || !folder || !existsSync(folder)) return
  appendJsonLine(join(folder, REPORT), text)
}
