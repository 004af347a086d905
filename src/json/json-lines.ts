import { readFileSync } from '../real/files.ts'

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
