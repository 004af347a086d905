import { isRawNumber, type JsonValue } from '../json/json-value.ts'
import { TIMES, FIXED_FIELD } from './named-rules.ts'
import type { VolatileRules } from './volatile-rules.ts'

/** A place in a body: keys and positions from the outermost inwards. */
export type BodyPath = ReadonlyArray<string | number>

/** A volatile value of one request, as it stood there. */
export interface VolatileValue {
  value: string
  /** The rule that found it first. */
  rule: string
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

  /** The mark for the value at a place; `undefined` if the value counts as it is. */
  markAt(path: BodyPath, value: JsonValue): string | undefined {
    const declared = this.#rules.paths.find(({ keys }) => matchesPath(keys, path))
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (declared) return this.#markOf(text, declared.rule)
    const isNumber = typeof value === 'number' || isRawNumber(value)
    if (!isNumber || !this.#rules.numbers || isFixed(path)) return undefined
    const [span] = this.#rules.find(text)
    const whole = span?.rule === 'epoch' && span.text === text
    return whole ? this.#markOf(text, 'epoch') : undefined
  }

  /** A text with its volatile pieces replaced by `mark(…)` and all others by `keep(…)`. */
  replaceIn(
    text: string,
    path: BodyPath,
    mark: (what: string) => string,
    keep: (piece: string) => string,
  ): string {
    const spans = isFixed(path) ? [] : this.#rules.find(text)
    let replaced = ''
    let at = 0
    for (const span of spans) {
      replaced += keep(text.slice(at, span.start)) + mark(this.#markOf(span.text, span.rule))
      at = span.end
    }
    return replaced + keep(text.slice(at))
  }

  /** Names the rule too: a date does not become a uuid. */
  #markOf(value: string, rule: string): string {
    const isTime = TIMES.has(rule)
    let number = isTime ? undefined : this.#numbers.get(value)
    if (number === undefined) {
      this.found.push({ value, rule })
      if (isTime) return rule
      number = this.#numbers.size + 1
      this.#numbers.set(value, number)
    }
    return `${rule}:${number}`
  }
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
