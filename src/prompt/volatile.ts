import type { FindVolatile, VolatileRule } from '../config/volatile-rule.ts'
import { CassetteError } from '../errors.ts'
import type { JsonValue } from '../json/json-value.ts'

/** A place in a body: keys and positions from the outermost inwards. */
export type BodyPath = ReadonlyArray<string | number>

/**
 * The volatile values of one request, numbered by first appearance: the same value is the same
 * number wherever it stands, two values are two numbers.
 */
export class VolatileValues {
  readonly #paths: string[][]
  readonly #finders: FindVolatile[]
  readonly #numbers: Map<string, number> = new Map()

  constructor(rules: readonly VolatileRule[]) {
    this.#paths = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePath(rule)] : []))
    this.#finders = rules.filter((rule) => typeof rule === 'function')
  }

  /** True when no rule can match, so that nothing has to be asked. */
  get none(): boolean {
    return this.#paths.length === 0 && this.#finders.length === 0
  }

  /** The number of a value that a path declares volatile. */
  numberAt(path: BodyPath, value: JsonValue): number | undefined {
    if (!this.#paths.some((pattern) => matchesPath(pattern, path))) return undefined
    return this.#numberOf(typeof value === 'string' ? value : JSON.stringify(value))
  }

  /** A text with its volatile pieces replaced by `mark(number)`. */
  replaceIn(text: string, mark: (number: number) => string): string {
    const pieces = this.#finders.flatMap((find) => findPieces(find, text))
    if (pieces.length === 0) return text
    // Longest first, so that a piece inside another does not break it.
    const pattern = pieces
      .toSorted((one, other) => other.length - one.length)
      .map(escapePattern)
      .join('|')
    return text.replace(new RegExp(pattern, 'g'), (piece) => mark(this.#numberOf(piece)))
  }

  #numberOf(value: string): number {
    const number = this.#numbers.get(value) ?? this.#numbers.size + 1
    this.#numbers.set(value, number)
    return number
  }
}

function findPieces(find: FindVolatile, text: string): string[] {
  const name = find.name || 'an unnamed function'
  let pieces: unknown
  try {
    pieces = find(text)
  } catch (error) {
    throw new CassetteError('invalid-option', `The volatile rule ${name} threw: ${String(error)}`, {
      cause: error,
    })
  }
  if (!Array.isArray(pieces) || !pieces.every((piece) => typeof piece === 'string')) {
    throw new CassetteError(
      'invalid-option',
      `The volatile rule ${name} returned ${describe(pieces)}. Return an array of the texts that may vary, empty when there are none.`,
    )
  }
  return pieces.filter((piece) => piece !== '')
}

function describe(value: unknown): string {
  return value === undefined ? 'nothing' : `${JSON.stringify(value)}`.slice(0, 60)
}

/** `$.a.b[*].c` and `a.b[*].c` are the keys a, b, *, c. */
function parsePath(path: string): string[] {
  return path
    .replace(/^\$\.?/, '')
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
}

function matchesPath(pattern: string[], path: BodyPath): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((key, index) => key === '*' || key === String(path[index]))
  )
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
