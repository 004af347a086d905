import type { TestPlace } from '../../../cassette/test-place.ts'
import { quoteWord, RECORD_COMMAND, recording } from '../../../text/command-line.ts'
import { titlePattern } from '../../../text/title-pattern.ts'
import { optionsHere, otherHere } from './current-project.ts'

/** The command that records one test, or the requests of one file, again and nothing else. */
export function recordCommand(
  { file, titles }: TestPlace,
  platform: NodeJS.Platform = process.platform,
): string {
  const words = wordsFor[platform === 'win32' ? 'windows' : 'posix'](file, titles).join(' ')
  const other = otherHere()
  if (!other) return `${RECORD_COMMAND} ${words}`
  return recording(other.takesWords ? `${other.command} ${words}` : other.command, platform)
}

/** The words that choose a test, quoted. */
const wordsFor = {
  posix(file: string, titles: readonly string[]): string[] {
    const words = [file, ...optionsHere(), ...nameOf(titles)]
    return words.map((word) => quoteWord(word, 'linux'))
  },
  /** PowerShell and cmd quote in different ways, so no word has what either would read. */
  windows(file: string, titles: readonly string[]): string[] {
    const name = nameOf(titles, (title) => title.replace(/[^\w -]/gu, '.'))
    const words = [...optionsHere(), ...name]
    return [`"${file}"`, ...words.map((word) => (/^--?\w/.test(word) ? word : `"${word}"`))]
  },
}

function nameOf(titles: readonly string[], escape?: (title: string) => string): string[] {
  return titles.length === 0 ? [] : ['-t', titlePattern(titles, escape)]
}
