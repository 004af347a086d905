import { join } from '../../real/path.ts'
import { readJsonLines } from '../../json/json-lines.ts'
import { existsSync, rmSync } from '../../real/files.ts'
import { appendJsonLine } from '../../secrets/notes.ts'

/** The file in the folder of a test into which its children write. */
const REPORT = 'report.jsonl'

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

/** The reports in a folder, which is removed. */
export function takeFolder(folder: string): string[] {
  const texts = takeReports(folder)
  rmSync(folder, { recursive: true, force: true })
  return texts
}
