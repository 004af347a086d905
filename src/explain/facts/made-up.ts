import type { Content, PromptChange } from '../../diff/prompt-change.ts'
import { differingParts } from '../../text/common-ends.ts'

/** How many digits have to differ. Fewer are rather an edit: another limit, another year. */
const MIN_DIGITS = 3

/** How long the lines that differ may be, in UTF-16 units: a pattern that runs over megabytes may exhaust the stack. */
const MAX_SEARCHED = 1_000_000

/** The pairs of words that differ, if only words differ that look random, such as `TCK-682673`; else none. */
export function madeUpWords(changes: readonly PromptChange[]): string[] {
  const found = changes.map(madeUpIn)
  return found.includes(undefined) ? [] : [...new Set(found.flat() as string[])]
}

/** The pairs of words that differ, if only such words do. */
function madeUpIn(change: PromptChange): string[] | undefined {
  if (change.kind !== 'edited' || change.place.area !== 'message') return undefined
  const [before, after] = [plainTextOf(change.before), plainTextOf(change.after)]
  if (before === undefined || after === undefined) return undefined
  const lines = differingParts(before, after, (character) => character !== '\n')
  if (lines.some((text) => text.length > MAX_SEARCHED)) return undefined
  const [one, other] = lines.map((text) => text.split(/([\s"'`<>()[\]{},;]+)/)) as [
    string[],
    string[],
  ]
  if (one.length !== other.length) return undefined
  const pairs = one.flatMap((word, at) => (word === other[at] ? [] : [[word, other[at]!] as const]))
  return pairs.length > 0 && pairs.every(areMadeUp)
    ? pairs.map(([word, now]) => `${JSON.stringify(word)} → ${JSON.stringify(now)}`)
    : undefined
}

function plainTextOf(content: Content): string | undefined {
  const text = content.type === 'text' ? content.text : content.type === 'value' && content.value
  return typeof text === 'string' ? text : undefined
}

/** A word in which letters and digits mix, as nobody writes one: `q7x2m9`. */
const RANDOM = /(?<![a-z\d])(?=(?:[a-z]*\d){2})(?=(?:\d*[a-z]){2})[a-z\d]{6,}(?![a-z\d])/i

/** Whether two words are alike but for their digits, or both are random. */
function areMadeUp([one, other]: readonly [string, string]): boolean {
  const areRandom = one.length === other.length && RANDOM.test(one) && RANDOM.test(other)
  if (!areRandom && one.replace(/\d/g, '0') !== other.replace(/\d/g, '0')) return false
  return [...one].filter((unit, at) => unit !== other[at]).length >= MIN_DIGITS
}
