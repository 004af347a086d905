import { CassetteError } from '../errors.ts'
import { findSpans } from '../json/find-in-json.ts'
import { isRawNumber, type JsonValue } from '../json/json-value.ts'
import { replaceSpans, spansOf, type TextSpan } from '../json/text-span.ts'
import { Numbers } from '../text/numbers.ts'
import { placeholderOf } from '../text/placeholder.ts'
import { MAY_BE_PLACEHOLDER } from '../text/holds-text.ts'
import { NUMBERED, PLACEHOLDER } from '../text/placeholders.ts'
import { findBase64 } from './base64.ts'
import { type BodyPath, spellPath } from './volatile/body-path.ts'
import { coverText, promptIn } from './volatile/covered.ts'
import { TIMES, FIXED_FIELD } from './named-rules.ts'
import type { VolatileRules, VolatileSpan } from './volatile-rules.ts'

// Loaded where there are rules: `load-volatile.ts` names it.

export { coversProse, isBesidePrompt } from './volatile/covered.ts'

/** The beginning of every mark for a volatile value. */
const MARK = '\u0000volatile:'

/** A volatile value of one request, as it stood there. */
export interface VolatileValue {
  value: string
  /** The rule that found it first. */
  rule: string
  /** Where it was found first, as a path. */
  place: string
}

/**
 * The volatile values of one request, numbered by first appearance: the same value is the same
 * number wherever it stands, two values are two numbers. Times have no numbers: it is chance which of them are equal.
 */
export class VolatileValues {
  /** Each value once, in the order of first appearance; times as often as they stand there. */
  readonly found: VolatileValue[] = []
  readonly #rules: VolatileRules
  readonly #numbers: Numbers = new Numbers()

  constructor(rules: VolatileRules) {
    this.#rules = rules
  }

  /**
   * The mark for the value at a declared path, or a number with marks in it; `undefined` if the value counts as it is.
   *
   * @throws CassetteError `invalid-option` for rules that cover a part of the prompt
   */
  markAt(path: BodyPath, value: JsonValue): string | undefined {
    const declared = this.#rules.ruleAt(path)
    if (declared !== undefined) {
      const covered = promptIn(value, path)
      if (covered) throw coversPrompt([declared], covered)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return MARK + this.#markOf(text, declared, path, typeOf(value))
    }
    if (typeof value !== 'number' && !isRawNumber(value)) return undefined
    const text = JSON.stringify(value)
    const replaced = this.replaceIn(text, path)
    return replaced === text ? undefined : replaced
  }

  /**
   * A text with marks in the place of its volatile pieces. In JSON, these are searched in each text, key and number.
   *
   * @throws CassetteError `invalid-option` for the user's own rules that cover a text, or most of its words
   */
  replaceIn(text: string, path: BodyPath): string {
    // In long base64, chance makes what looks like an id.
    const numbered = this.numberIn(text, path)
    if (isFixed(path) || findBase64(text)) return numbered
    const left = replaceSpans(numbered, this.#marked(this.#rules.findSpelled(numbered), path))
    const own = new Set<string>()
    const spans = findSpans(left, (piece) => {
      const found = this.#rules.find(piece)
      for (const { isOwn, rule } of found) if (isOwn) own.add(rule)
      return this.#marked(found, path)
    })
    if (own.size > 0) {
      const ofOwn = findSpans(left, (piece) => this.#rules.find(piece).filter(({ isOwn }) => isOwn))
      if (coverText(left, ofOwn, path)) throw coversPrompt([...own], path)
    }
    return replaceSpans(left, spans)
  }

  /**
   * Numbers the values of redaction rules by first appearance in a text of this request. The rest of a placeholder
   * counts.
   */
  numberIn(text: string, path: BodyPath): string {
    if (!MAY_BE_PLACEHOLDER.test(text)) return text
    const find = (piece: string): TextSpan[] =>
      spansOf(piece, PLACEHOLDER, (_whole, _opening, escapes, name) => {
        const [, rule, number, check] = (escapes === '' && NUMBERED.exec(name!)) || []
        if (rule === undefined) return undefined
        // An address spells it in another way.
        const said = check === undefined ? rule : `${rule} ${check}`
        const value = placeholderOf(said.replace(rule, `${rule}.${number}`))
        return `${MARK}${this.#markOf(value, placeholderOf(said), path)}\u0000`
      })
    return replaceSpans(text, findSpans(text, find))
  }

  #marked(found: readonly VolatileSpan[], path: BodyPath): TextSpan[] {
    return found.map(({ start, end, text, rule }) => {
      const mark = this.#markOf(text, rule, path)
      return { start, end, text: `${MARK}${mark}\u0000` }
    })
  }

  /** Names the rule too: a date does not become a uuid. */
  #markOf(value: string, rule: string, path: BodyPath, type: string = ''): string {
    const isTime = TIMES.has(rule)
    if (isTime || !this.#numbers.has(value))
      this.found.push({ value, rule, place: spellPath(path) })
    return isTime ? rule : `${rule}:${type}${this.#numbers.of(value)}`
  }
}

/** The JSON type of a value as its mark has it: nothing for a text. */
function typeOf(value: JsonValue): string {
  if (typeof value === 'string') return ''
  if (value === null) return 'null:'
  if (Array.isArray(value)) return 'array:'
  return isRawNumber(value) ? 'number:' : `${typeof value}:`
}

function coversPrompt(rules: readonly string[], path: BodyPath): CassetteError {
  const [which, verb] =
    rules.length === 1 ? ['The volatile rule', 'covers'] : ['The volatile rules', 'cover']
  return new CassetteError(
    'invalid-option',
    `${which} ${rules.join(', ')} ${verb} a part of the prompt at ${spellPath(path)}, so a changed prompt would pass.\n` +
      'Declare only the value in it that varies, by a name or by a regular expression.',
  )
}

/** Whether a place is a field that never varies, or inside of one. */
function isFixed(path: BodyPath): boolean {
  return path.some((key) => typeof key === 'string' && FIXED_FIELD.test(key))
}
