import { execFileSync } from 'node:child_process'
import { closestTo } from '../../text/closest-names.ts'
import { layOutLine } from '../../text/printable.ts'
import { remember } from '../../remember.ts'
import { invalidCommand } from '../terminal/options.ts'

const IS_PATTERN = /^(?:-t|--testNamePattern|--test-name-pattern)$/

/**
 * Refuses options that Vitest does not have, and patterns that it cannot read: it would print the stack of an error.
 *
 * @param vitest the file of its command
 * @param own the options of the command that takes the words, for suggestions
 * @throws CassetteError `invalid-command` that names the closest option
 */
export function checkVitestWords(
  vitest: string,
  words: readonly string[],
  own: readonly string[] = [],
): void {
  const end = words.indexOf('--')
  const read = end < 0 ? words : words.slice(0, end)
  for (const [index, word] of read.entries()) {
    const [option, ...value] = word.split('=')
    if (!/^--?[a-z]/i.test(option!) || IS_PATTERN.test(read[index - 1] ?? '')) continue
    if (!isKnown(option!, namesOf(vitest))) throw unknownOption(option!, vitest, own)
    if (IS_PATTERN.test(option!))
      checkPattern(option!, value.length > 0 ? value.join('=') : read[index + 1])
  }
}

function isKnown(option: string, names: ReadonlySet<string>): boolean {
  const isLong = option.startsWith('--')
  // A group of letters, such as `-wu`, is an option each.
  if (!isLong) return [...option].slice(1).every((letter) => names.has(letter))
  const name = camelCase(option.slice(2).split('.')[0]!)
  return (
    names.has(name) ||
    names.has(camelCase(name.replace(/^no([A-Z])/, (_, one) => one.toLowerCase())))
  )
}

/** The names of all options of Vitest, as its help has them. */
const namesOf: (vitest: string) => ReadonlySet<string> = remember((vitest) => {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
  const help = execFileSync(process.execPath, [vitest, 'run', '--help'], { encoding: 'utf8', env })
  const found = help.matchAll(/^ +(?:-(\w), )?--([\w.-]+)/gm)
  const names = Array.from(found, ([, short, long]) => [short, long!.split('.')[0]!]).flat()
  return new Set(names.flatMap((name) => (name === undefined ? [] : camelCase(name))))
})

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function unknownOption(option: string, vitest: string, own: readonly string[]): Error {
  const known = [...namesOf(vitest)].filter((name) => name.length > 1)
  const [closest] = closestTo(
    option,
    [...own, ...known].map((name) => `--${name}`),
  )
  return invalidCommand(
    `There is no option ${layOutLine(option)}, neither here nor in Vitest. Did you mean ${closest}?`,
  )
}

function checkPattern(option: string, pattern: string | undefined): void {
  if (pattern === undefined)
    throw invalidCommand(`${option} takes a pattern of the names of tests.`)
  try {
    // oxlint-disable-next-line no-new -- whether it can be read
    new RegExp(pattern)
  } catch (error) {
    throw invalidCommand(
      `${option} ${layOutLine(pattern)} is no pattern: ${(error as Error).message}`,
    )
  }
}
