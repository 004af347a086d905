import type { TestPlace } from '../../../cassette/test-place.ts'
import { quoteWord, recording } from '../../../config/mode.ts'
import { optionsHere, runHere } from './current-project.ts'

/** Matches the separator between the titles of suite and test: ` > ` in Vitest 5, a space in Vitest 4. */
const BETWEEN_TITLES = '( >)? '

/** The command that records one test, or the requests of one file, again and nothing else. */
export function recordCommand(
  { file, titles }: TestPlace,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return windowsCommand(file, titles)
  const chosen = optionsHere()
    .map((word) => ` ${quoteWord(word, platform)}`)
    .join('')
  const command = recording(`npx ${runHere()} ${quoteWord(file, platform)}${chosen}`, platform)
  return titles.length === 0
    ? command
    : `${command} -t ${quoteWord(`^${titles.map(escapePattern).join(BETWEEN_TITLES)}$`, platform)}`
}

/** The same for PowerShell and cmd, which set no variable for one command, and quote in different ways. */
function windowsCommand(file: string, titles: readonly string[]): string {
  const pattern = titles.map((title) => title.replace(/[^\w -]/gu, '.')).join(BETWEEN_TITLES)
  const chosen = optionsHere().map((word) => (word.startsWith('--') ? word : `"${word}"`))
  return [
    `npx vitest-cassette record "${file}"`,
    ...chosen,
    ...(titles.length === 0 ? [] : [`-t "^${pattern}$"`]),
  ].join(' ')
}

function escapePattern(text: string): string {
  // A terminal would not pass control characters on unchanged, and those of direction would reverse the text.
  return text
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '[^]')
}
