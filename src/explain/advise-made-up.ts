import pc from 'picocolors'
import type { Content, PromptChange } from '../diff/compare/prompt-change.ts'
import { printable } from '../diff/render/printable.ts'
import type { Session } from '../engine/session.ts'

/** How many digits have to differ. Fewer are rather an edit: another limit, another year. */
const MIN_DIGITS = 3

/** The command that finds a rule, where only words differ that look made up for each run, such as `TCK-682673`. */
export function adviseOnMadeUp(
  changes: readonly PromptChange[],
  { test }: Session,
  color: boolean,
): string {
  const command = askingTwice(test.recordCommand)
  const found = changes.map(madeUpIn)
  if (!command || found.length === 0 || found.includes(undefined)) return ''
  const words = [...new Set(found.flat())]
  const [what, them] = words.length === 1 ? ['This looks', 'it is'] : ['These look', 'they are']
  return [
    `${what} made up. If ${them} different in every run, this command says how to declare that:`,
    ...words.slice(0, 3).map((word) => printable(`  ${word}`)),
    `  ${pc.createColors(color).bold(command)}`,
  ].join('\n')
}

/** The pairs of words that differ, if only such words do. */
function madeUpIn(change: PromptChange): string[] | undefined {
  if (change.kind !== 'edited' || change.place.area !== 'message') return undefined
  const [one, other] = [wordsOf(change.before), wordsOf(change.after)]
  if (!one || one.length !== other?.length) return undefined
  const pairs = one.flatMap((word, at) => (word === other[at] ? [] : [[word, other[at]!] as const]))
  return pairs.length > 0 && pairs.every(areMadeUp)
    ? pairs.map(([word, now]) => `${JSON.stringify(word)} → ${JSON.stringify(now)}`)
    : undefined
}

function wordsOf(content: Content): string[] | undefined {
  const text = content.type === 'text' ? content.text : content.type === 'value' && content.value
  return typeof text === 'string' ? text.split(/([\s"'`<>()[\]{},;]+)/) : undefined
}

/** Whether two words are alike but for their digits. */
function areMadeUp([one, other]: readonly [string, string]): boolean {
  if (one.replace(/\d/g, '0') !== other.replace(/\d/g, '0')) return false
  return [...one].filter((unit, at) => unit !== other[at]).length >= MIN_DIGITS
}

/** The command that runs the tests of a recording command twice; `undefined` where Vitest does not run them. */
function askingTwice(command: string): string | undefined {
  const [, words] = /\bnpx (?:vitest run|vitest-cassette record) (.*)$/s.exec(command) ?? []
  return words && `npx vitest-cassette doctor --twice -- ${words}`
}
