import {
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  tryParseJson,
} from '../../../json/json-value.ts'
import { stringOf } from '../../../providers/fields.ts'
import { brokenTrace, describe, type TraceSpan } from './span.ts'

/** The attributes of a span, each of the type that its convention gives it; an error names what has another one. */
export class Held {
  readonly attributes: JsonObject
  /** The texts at which JSON was cut, so that the rest of it is lost. */
  readonly cutTexts: string[] = []
  readonly #place: string

  constructor({ attributes, place }: Pick<TraceSpan, 'attributes' | 'place'>) {
    this.attributes = attributes
    this.#place = place
  }

  /** The first attribute that is there, as it stands. */
  any(...names: string[]): JsonValue | undefined {
    return this.#read(names, 'a value', (value) => value)
  }

  text(...names: string[]): string | undefined {
    return this.#read(names, 'a text', stringOf)
  }

  number(...names: string[]): number | undefined {
    return this.#read(names, 'a number', numberIn)
  }

  /** A list of texts; one text alone is a list too. */
  texts(...names: string[]): string[] | undefined {
    return this.#read(names, 'a list of texts', (value) => {
      const isJson = typeof value === 'string' && value.startsWith('[')
      const list = [isJson ? tryParseJson(value) : value].flat()
      return list.every((one) => typeof one === 'string') ? list : undefined
    })
  }

  /** A value that is written as the text of its JSON, or as it is. A text that is no JSON is that text. */
  json(...names: string[]): JsonValue | undefined {
    return this.#read(names, 'a value', (value) => this.#decoded(value))
  }

  /** As {@link json}, of a list or an object, or of nothing where it is a text that is empty. */
  structure(...names: string[]): JsonValue | undefined {
    const value = this.json(...names)
    if (value === undefined || value === '' || value === null) return undefined
    return this.#read(names, 'JSON', () => (typeof value === 'object' ? value : undefined))
  }

  /**
   * A value whose fields are attributes of their own, as `llm.input_messages.0.message.role`; or one attribute, or an
   * object in an object.
   */
  nested(prefix: string): JsonValue | undefined {
    const own = this.json(prefix)
    if (own !== undefined && own !== '') return own
    const tree: JsonObject = {}
    for (const [name, value] of Object.entries(this.attributes))
      if (name.startsWith(`${prefix}.`) && value !== null)
        put(tree, name.slice(prefix.length + 1).split('.'), value)
    if (Object.keys(tree).length > 0) return listed(tree)
    const [first = '', ...rest] = prefix.split('.')
    return rest.reduce<JsonValue | undefined>(
      (outer, name) => (isJsonObject(outer) ? outer[name] : undefined),
      this.attributes[first],
    )
  }

  /** Reads the first attribute that is there, which can have no other type. */
  #read<Value>(
    names: readonly string[],
    expected: string,
    read: (value: JsonValue) => Value | undefined,
  ): Value | undefined {
    const name = names.find((one) => (this.attributes[one] ?? null) !== null)
    if (name === undefined) return undefined
    const held = this.attributes[name]!
    const value = read(held)
    if (value !== undefined) return value
    throw brokenTrace(
      this.#place,
      `${expected} is expected in ${name}, and there is ${describe(held)}`,
    )
  }

  #decoded(value: JsonValue): JsonValue {
    if (typeof value !== 'string') return value
    const parsed = tryParseJson(value)
    if (parsed !== undefined) return parsed
    if (!/^\s*[[{]\s*["{[\]}]/.test(value)) return value
    const mended = mendJson(value)
    if (!mended) return value
    this.cutTexts.push(mended.lastText)
    return mended.value
  }
}

/** A number in any spelling: a text, or the halves of a long. */
export function numberIn(value: JsonValue | undefined): number | undefined {
  if (isRawNumber(value)) return Number(value.rawJSON)
  if (isJsonObject(value)) {
    const { low, high } = value
    if (typeof low !== 'number' || typeof high !== 'number') return undefined
    return high * 2 ** 32 + (low >>> 0)
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function put(tree: JsonObject, [name = '', ...rest]: string[], value: JsonValue): void {
  if (rest.length === 0) {
    tree[name] ??= value
    return
  }
  const inner = tree[name]
  if (!isJsonObject(inner)) tree[name] = {}
  put(tree[name] as JsonObject, rest, value)
}

/** Objects whose keys are positions as lists. */
function listed(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value)
  const inner = Object.entries(value).map(([key, child]) => [key, listed(child)] as const)
  if (!keys.every((key) => /^\d+$/.test(key))) return Object.fromEntries(inner)
  return inner.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, child]) => child)
}

/** How often a cut text is shortened until it is JSON: the last key or value may be of no use. */
const TRIES = 64

/** The value of a JSON text that was cut, and its last text, which the cut has shortened. */
function mendJson(text: string): { value: JsonValue; lastText: string } | undefined {
  let cut = text.replace(/(?:…|\.{3}|\[truncated\])\s*$/i, '')
  for (let left = TRIES; left > 0 && cut !== ''; left--) {
    const { open, inText, escape } = openAt(cut)
    const closers = open.toReversed().join('')
    const whole = inText ? `${cut.slice(0, escape)}"` : cut
    const value = tryParseJson(whole + closers)
    if (value !== undefined) return { value, lastText: inText ? lastTextOf(value) : '' }
    // A key without its value, a comma, or a piece of a word.
    cut = inText
      ? cut.slice(0, cut.lastIndexOf('"'))
      : cut.replace(/(?:[,:]|"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*$/, '')
  }
  return undefined
}

/** What is open at the end of a text: brackets, a text, and an escape in it whose rest is lost. */
function openAt(text: string): { open: string[]; inText: boolean; escape?: number } {
  const open: string[] = []
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (inText) {
      if (char === '"') inText = false
      if (char !== '\\') continue
      const length = text[at + 1] === 'u' ? 6 : 2
      if (at + length > text.length) return { open, inText, escape: at }
      at += length - 1
    } else if (char === '"') inText = true
    else if (char === '{') open.push('}')
    else if (char === '[') open.push(']')
    else if (char === '}' || char === ']') open.pop()
  }
  return { open, inText }
}

function lastTextOf(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return ''
  const last = Object.values(value).at(-1)
  return last === undefined ? '' : lastTextOf(last)
}
