import { join } from 'node:path'
import { existsSync, rmSync } from '../../real/files.ts'
import { sendsNothing } from '../../config/mode.ts'
import { CassetteError } from '../../errors.ts'
import type { Attempt } from '../../host/attempt.ts'
import { appendJsonLine, readJsonLines } from '../../json/json-lines.ts'

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

/** Fails a test for the requests of its children that were refused; a recording run warns of them instead. */
export function collectReports(scope: Attempt): void {
  const folder = folders.get(scope)
  // A child that starts later gets no folder, since none would be removed after this.
  if (!folder) return void folders.set(scope, '')
  const texts = readJsonLines<string>(join(folder, REPORT))
  rmSync(folder, { recursive: true, force: true })
  const [first, ...others] = new Set(texts)
  if (first === undefined) return
  if (sendsNothing(scope.config.mode)) scope.reject(new CassetteError('refused', first))
  else for (const text of [first, ...others]) console.warn(`[vitest-cassette] ${text}`)
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
