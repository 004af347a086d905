import { appendFileSync, readFileSync } from '../real/files.ts'

/**
 * Adds a value to a file with one JSON value a line. Several processes may add to the same file.
 *
 * @param mode the permissions of a file that is made
 */
export function appendJsonLine(file: string, value: unknown, mode?: number): void {
  // The line break comes first, so that a torn line spoils no other.
  appendFileSync(file, `\n${JSON.stringify(value)}`, { mode })
}

/** The values of a file with one JSON value a line; none if there is no file. Torn lines are left out. */
export function readJsonLines<Line>(file: string): Line[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line]
    } catch {
      return []
    }
  })
}
