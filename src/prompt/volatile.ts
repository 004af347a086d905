import { CassetteError } from '../errors.ts'
import { isRawNumber, type JsonValue } from '../json/json-value.ts'
import { type BodyPath, spellPath } from './volatile/body-path.ts'
import { loadCovered } from './load-covered.ts'
import { TIMES, FIXED_FIELD } from './named-rules.ts'
import type { VolatileRules } from './volatile-rules.ts'

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
  readonly #numbers: Map<string, number> = new Map()

  constructor(rules: VolatileRules) {
    this.#rules = rules
  }

  /**
   * The mark for the value at a place, with its JSON type where it is no text; `undefined` if the value counts as it is.
   *
   * @throws CassetteError `invalid-option` for a path that covers a part of the prompt
   */
  markAt(path: BodyPath, value: JsonValue): string | undefined {
    const declared = this.#rules.paths.find(({ keys }) => matchesPath(keys, path))
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (declared) {
      const covered = loadCovered().promptIn(value, path)
      if (covered) throw coversPrompt([declared.rule], covered)
      return this.#markOf(text, declared.rule, path, typeOf(value))
    }
    const isNumber = typeof value === 'number' || isRawNumber(value)
    if (!isNumber || !this.#rules.numbers || isFixed(path)) return undefined
    const [span] = this.#rules.find(text)
    const whole = span?.rule === 'epoch' && span.text === text
    return whole ? this.#markOf(text, 'epoch', path) : undefined
  }

  /**
   * A text with its volatile pieces replaced by `mark(…)` and all others by `keep(…)`.
   *
   * @throws CassetteError `invalid-option` for the user's own rules that cover a text, or most of its words
   */
  replaceIn(
    text: string,
    path: BodyPath,
    mark: (what: string) => string,
    keep: (piece: string) => string,
  ): string {
    const spans = isFixed(path) ? [] : this.#rules.find(text)
    const own = spans.filter(({ isOwn }) => isOwn)
    if (own.length > 0 && loadCovered().coverText(text, own, path))
      throw coversPrompt([...new Set(own.map(({ rule }) => rule))], path)
    let replaced = ''
    let at = 0
    for (const span of spans) {
      replaced += keep(text.slice(at, span.start)) + mark(this.#markOf(span.text, span.rule, path))
      at = span.end
    }
    return replaced + keep(text.slice(at))
  }

  /** Names the rule too: a date does not become a uuid. */
  #markOf(value: string, rule: string, path: BodyPath, type: string = ''): string {
    const isTime = TIMES.has(rule)
    let number = isTime ? undefined : this.#numbers.get(value)
    if (number === undefined) {
      this.found.push({ value, rule, place: spellPath(path) })
      if (isTime) return rule
      number = this.#numbers.size + 1
      this.#numbers.set(value, number)
    }
    return `${rule}:${type}${number}`
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

function isFixed(path: BodyPath): boolean {
  return FIXED_FIELD.test(String(path.at(-1) ?? ''))
}

function matchesPath(keys: readonly string[], path: BodyPath): boolean {
  return (
    keys.length === path.length &&
    keys.every((key, index) => key === '*' || key === String(path[index]))
  )
}
