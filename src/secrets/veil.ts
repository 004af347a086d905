import {
  isContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapInside,
  parseJson,
} from '../json/json-value.ts'
import { fold } from '../json/walk.ts'
import { isJsonText } from '../json/find-in-json.ts'
import { placesOf, type TextSpan } from '../json/text-span.ts'
import { isByte } from '../wire/replace-texts.ts'
import { rememberFor, rememberTexts } from '../remember.ts'
import { findSplit } from './find-secrets.ts'
import { printedBytes } from './find/byte-lists.ts'
import { encodedRuns, endOfRun } from './find/encoded-runs.ts'
import { isGuessable } from './find/is-guessable.ts'
import { Pieces } from './find/pieces.ts'
import { readingsOf, scanText } from './find/scan-text.ts'
import { type KnownValue, knownInEnvironment } from './known-values.ts'
import { Numbers } from '../text/numbers.ts'
import { placeholderOf } from '../text/placeholder.ts'
import { placeholdersIn } from '../text/placeholders.ts'
import { restOf } from './rules/rest-of.ts'
import { findKnownIn } from './redactor.ts'

interface VeilOptions {
  /** What tells two secrets apart: digests do so across processes, but give a value away that can be guessed. */
  marks?: 'numbers' | 'digests'
  /** Which texts are secrets besides known values: what any rule finds, or only what stands beside its name. */
  rules?: 'all' | 'named'
  known?: readonly KnownValue[]
}

declare const hidden: unique symbol

/** A value without secrets. Only a {@link Veil} makes one, and what lays texts out takes nothing else. */
export type Safe<Value> = Value extends readonly (infer Item extends object)[]
  ? Array<Safe<Item>>
  : Value & { readonly [hidden]: true }

type Env = Readonly<Record<string, string | undefined>>

/** Longer texts are searched for the credentials of issuers alone where they are read as one. */
const MAX_JOINED = 100_000

/** No credential is longer beside its name. */
const MAX_NAMED = 500

/**
 * Hides secrets in all that a person reads, before it is wrapped, cut, marked or escaped: after that no rule knows a
 * key. Learns the secrets of all values that are shown together first, so that a piece of one is hidden too, at a place
 * where no rule sees it. Two secrets that differ have different placeholders: that one changed stays visible.
 */
export class Veil {
  readonly #env: Env
  readonly #hasDigests: boolean
  readonly #rules: NonNullable<VeilOptions['rules']>
  readonly #pieces = new Pieces()
  /** The secrets of each text, by the name before it, and then by the text: to join them would take longer. */
  readonly #found = new Map<string, Map<string, Found[]>>()
  /** The credentials of the environment, read once for all texts that are learnt together. */
  #known: readonly KnownValue[] = []
  /** What each placeholder stands for, by the name of its rule. */
  readonly #numbers = new Numbers()

  /** @param env variables whose credentials are known */
  constructor(
    env: Env = process.env,
    { marks = 'numbers', rules = 'all', known = knownInEnvironment(env) }: VeilOptions = {},
  ) {
    this.#env = env
    this.#hasDigests = marks === 'digests'
    this.#rules = rules
    for (const { name, value } of known) this.#pieces.add(value, name)
  }

  /** Learns the secrets of values. */
  learn(...values: unknown[]): this {
    this.#known = knownInEnvironment(this.#env)
    for (const value of values) this.#learn(value as JsonValue, '')
    return this
  }

  /** Learns the secrets of a value, and returns it without those that are known by now. */
  hide<Value>(value: Value): Safe<Value> {
    this.learn(value)
    const hidden = fold<JsonValue, string>(value as JsonValue, '', (one, name, inside) =>
      this.#hide(one, name, inside),
    )
    return hidden as Safe<Value>
  }

  /** Learns the secrets of texts, each with the name of its field. */
  learnTexts(texts: Iterable<readonly [text: string, name: string]>): void {
    this.#known = knownInEnvironment(this.#env)
    for (const [text, name] of texts) this.#learnText(text, name)
  }

  /** A text without the secrets that are known by now. */
  hideText(text: string, name: string): string {
    return this.#hideIn(text, name)
  }

  #learn(all: JsonValue, nameOfAll: string): void {
    fold(all, nameOfAll, (value, name, inside): void => {
      if (typeof value === 'string') return this.#learnText(value, name)
      if (!isContainer(value) || ArrayBuffer.isView(value)) return
      const bytes = bytesOf(value)
      if (bytes !== undefined) return this.#learnText(bytes, name)
      if (Array.isArray(value)) for (const item of value) inside(item, name)
      else
        for (const [key, child] of Object.entries(value)) {
          this.#learnText(key, '')
          inside(child, nameOfField(value, key))
        }
      for (const texts of textsTogether(value))
        for (const { text, name: rule } of acrossBorders(texts)) this.#pieces.add(text, rule)
    })
  }

  #learnText(text: string, name: string): void {
    for (const found of this.#secretsOf(text, name))
      for (const one of [found.text, ...found.says]) this.#pieces.add(one, found.name)
    if (isJsonText(text)) this.#learn(parseJson(text), '')
  }

  #secretsOf(text: string, name: string): Found[] {
    let named = this.#found.get(name)
    if (!named) this.#found.set(name, (named = new Map()))
    let found = named.get(text)
    if (!found) named.set(text, (found = this.#find(text, name)))
    return found
  }

  #find(text: string, name: string): Found[] {
    if (this.#rules === 'all') return findIn(text, name, this.#known)
    return [...knownIn(text, this.#known), ...namedIn(text, name)]
  }

  #hide(
    value: JsonValue,
    name: string,
    below: (part: JsonValue, name: string) => JsonValue,
  ): JsonValue {
    if (typeof value === 'string') return this.#hideIn(value, name)
    // Bytes, such as those of a picture, are shown to nobody.
    if (!isContainer(value) || ArrayBuffer.isView(value)) return value
    const bytes = bytesOf(value)
    if (bytes !== undefined) {
      const said = this.#hideIn(bytes, name)
      return said === bytes ? value : said
    }
    if (Array.isArray(value)) return mapInside(value, (item) => below(item, name))
    const inside = mapInside(value, (child, key) => below(child, nameOfField(value, key)))
    const keys = Object.keys(inside as JsonObject).map(
      (key) => [key, this.#hideIn(key, '')] as const,
    )
    if (keys.every(([key, shown]) => key === shown)) return inside
    return Object.fromEntries(keys.map(([key, shown]) => [shown, (inside as JsonObject)[key]!]))
  }

  #hideIn(text: string, name: string): string {
    const own = this.#secretsOf(text, name).flatMap((found) =>
      placesOf(found.text, text).map((place) => ({ ...place, text: found.name })),
    )
    const spans = joined([...own, ...this.#pieces.in(text)])
    let shown = ''
    let at = 0
    for (const { start, end, text: rule } of spans) {
      shown += text.slice(at, start) + this.#placeholder(rule, text.slice(start, end))
      at = end
    }
    return shown + text.slice(at)
  }

  #placeholder(rule: string, secret: string): string {
    if (this.#hasDigests && !isGuessable(secret)) return placeholderOf(rule) + restOf(secret)
    const number = this.#numbers.of(secret, rule)
    return placeholderOf(number === 1 ? rule : `${rule} ${number}`)
  }
}

/** The veil of all that is shown together: what belongs to one object has one. */
export const veilOf: (shown: object) => Veil = rememberFor(() => new Veil())

/** A secret in a text, as it stands there, and what it says where it is encoded. */
interface Found {
  text: string
  name: string
  says: string[]
}

function findIn(text: string, name: string, known: readonly KnownValue[]): Found[] {
  const plain = [...knownIn(text, known), ...likelyIn(text), ...namedIn(text, name)]
  const encoded = [
    ...encodedRuns(text).map(({ start, end, decoded }) => [
      text.slice(start, endOfRun(text, end)),
      decoded,
    ]),
    ...printedBytes(text).map(({ start, end, said }) => [text.slice(start, end), said]),
  ].flatMap(([run, says]): Found[] => {
    const inside = readingsOf(says!).flatMap((reading) => [
      ...likelyIn(reading),
      ...knownIn(reading, known),
    ])
    const [first] = inside
    return first ? [{ text: run!, name: first.name, says: inside.map((one) => one.text) }] : []
  })
  const others = readingsOf(text)
    .slice(1)
    .flatMap(likelyIn)
    .map((one) => ({ ...one, says: [one.text] }))
  return [...plain, ...encoded, ...others]
}

/** The system prompt of an application is the same in most of its tests, and a failure shows it in several forms. */
const likelyIn: (text: string) => readonly Found[] = rememberTexts((text) =>
  scanText(text).map(({ secret, rule }) => ({ text: secret, name: ruleName(rule), says: [] })),
)

function knownIn(text: string, known: readonly KnownValue[]): Found[] {
  return findKnownIn(text, known).map(({ start, end, text: placeholder }) => ({
    text: text.slice(start, end),
    name: placeholdersIn(placeholder)[0]?.name ?? 'CREDENTIAL',
    says: [],
  }))
}

/** What only the name of a field shows to be a credential. */
function namedIn(text: string, name: string): Found[] {
  if (name === '' || text.length > MAX_NAMED) return []
  return likelyIn(`${JSON.stringify(name)}: ${JSON.stringify(text)}`).filter((one) =>
    text.includes(one.text),
  )
}

function ruleName(rule: string): string {
  return rule.replaceAll(/\W/g, '_')
}

/** The name of a field. A list of variables or headers names them beside their values. */
function nameOfField({ name }: JsonObject, key: string): string {
  return key === 'value' && typeof name === 'string' ? name : key
}

/** What a list of bytes says, as a `Uint8Array` and a `Buffer` are written in JSON; `undefined` for anything else. */
function bytesOf(value: JsonValue[] | JsonObject): string | undefined {
  const items = Array.isArray(value) ? value : '0' in value ? Object.values(value) : []
  if (items.length < 8 || !items.every(isByte)) return undefined
  return Buffer.from(items).toString('latin1')
}

/** Texts at one place of the items of a list, which a model reads as one. */
function textsTogether(value: JsonValue[] | JsonObject): string[][] {
  if (!Array.isArray(value) || value.length < 2) return []
  if (value.every((item) => typeof item === 'string')) return [value as string[]]
  const places = new Map<string, string[]>()
  for (const item of value) {
    if (!isJsonObject(item)) continue
    for (const [key, child] of Object.entries(item))
      if (typeof child === 'string') places.set(key, [...(places.get(key) ?? []), child])
  }
  return [...places.values()].filter(({ length }) => length > 1)
}

/** The secrets that begin in one of these texts and end in another. */
function acrossBorders(texts: readonly string[]): Found[] {
  const split = findSplit(texts).map(({ secret, rule }) => ({
    text: secret,
    name: ruleName(rule),
    says: [],
  }))
  const joined = texts.join('')
  if (joined.length > MAX_JOINED) return split
  const whole = likelyIn(joined).filter(({ text }) => !texts.some((one) => one.includes(text)))
  return [...split, ...whole]
}

/** Spans in order; those that touch or overlap are one, named after the longest. */
function joined(spans: readonly TextSpan[]): TextSpan[] {
  const ordered = spans.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const all: Array<TextSpan & { longest: number }> = []
  for (const span of ordered) {
    const last = all.at(-1)
    const length = span.end - span.start
    if (!last || span.start >= last.end) {
      all.push({ ...span, longest: length })
      continue
    }
    if (length > last.longest) Object.assign(last, { text: span.text, longest: length })
    last.end = Math.max(last.end, span.end)
  }
  return all
}
