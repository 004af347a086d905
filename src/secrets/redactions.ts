import type { Exchange } from '../cassette/cassette.ts'
import { isContainer, isJsonObject, type JsonValue, mapInside } from '../json/json-value.ts'
import type { TextSpan } from '../json/text-span.ts'
import { sha256 } from '../prompt/sha256.ts'
import {
  mayHoldPlaceholder,
  NUMBERED,
  PLACEHOLDER,
  placeholderOf,
  placeholdersIn,
} from '../text/placeholder.ts'
import type { Body } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceTexts } from '../wire/replace-texts.ts'

/** A message, recorded or of this run. */
type Message = WireRequest | WireResponse

/**
 * The placeholders of one attempt. A value of a rule has one number in it; it begins after those of the cassette, so
 * that no number stands for a value of the recording and for another one of this run.
 */
export class Redactions {
  /** The credentials in prompts so far whose values can be guessed, by the names of their placeholders. */
  readonly guessable: Set<string> = new Set()
  readonly #exchanges: () => readonly Exchange[]
  readonly #placeholders: Map<string, string> = new Map()
  readonly #values: Map<string, string> = new Map()
  /** The placeholders in responses that the application got, and may send back. */
  readonly #given: Set<string> = new Set()
  #highest?: Map<string, number>

  /** @param exchanges those of the cassette, read when the first value gets a number */
  constructor(exchanges: () => readonly Exchange[] = () => []) {
    this.#exchanges = exchanges
  }

  /**
   * The placeholder of a value that a rule found.
   *
   * @param digits how many digits of its digest count
   */
  placeholderFor(rule: string, value: string, digits: number): string {
    const key = `${rule} ${value}`
    const known = this.#placeholders.get(key)
    if (known !== undefined) return known
    this.#highest ??= highestIn(this.#exchanges())
    const number = (this.#highest.get(rule) ?? 0) + 1
    this.#highest.set(rule, number)
    const check = digits > 0 ? ` ${sha256(value).slice(0, digits)}` : ''
    const placeholder = placeholderOf(`${rule}.${number}${check}`)
    this.#placeholders.set(key, placeholder)
    this.#values.set(placeholder, value)
    return placeholder
  }

  /** Escapes what looks like a placeholder, except for those that a response of this attempt held. */
  findLiterals(text: string): TextSpan[] {
    if (!mayHoldPlaceholder(text)) return []
    return Array.from(text.matchAll(PLACEHOLDER), ({ 0: whole, 1: opening, index: start }) =>
      this.#given.has(whole)
        ? { start, end: start + whole.length, text: whole }
        : { start, end: start + opening!.length, text: `${opening}=` },
    )
  }

  /** A response as the application gets it: with the values of this attempt, and escaped texts as they were. */
  show(response: WireResponse): WireResponse {
    const { headers, body } = response
    const names = Object.keys(headers).filter((name) => mayHoldPlaceholder(headers[name]!))
    if (names.length === 0 && !holdsPlaceholder(body)) return response
    const shown = names.map((name) => [name, this.#showIn(headers[name]!)] as const)
    return {
      ...response,
      headers: { ...headers, ...Object.fromEntries(shown) },
      body: replaceTexts(body, (text) => this.#findShown(text)),
    }
  }

  #showIn(text: string): string {
    return text.replaceAll(PLACEHOLDER, (whole) => this.#shown(whole))
  }

  #findShown(text: string): TextSpan[] {
    if (!mayHoldPlaceholder(text)) return []
    return Array.from(text.matchAll(PLACEHOLDER), ({ 0: whole, index: start }) => ({
      start,
      end: start + whole.length,
      text: this.#shown(whole),
    }))
  }

  #shown(whole: string): string {
    const plain = whole.replace(PLACEHOLDER, (_, opening: string, escapes: string) =>
      escapes === '' ? whole : opening + whole.slice(opening.length + 1),
    )
    if (plain !== whole) return plain
    const value = this.#values.get(whole)
    if (value === undefined) this.#given.add(whole)
    return value ?? whole
  }
}

/** The highest number of each rule. */
function highestIn(exchanges: readonly Exchange[]): Map<string, number> {
  const highest = new Map<string, number>()
  for (const { wire } of exchanges)
    for (const message of [wire?.request, wire?.response])
      if (message)
        findText(message as unknown as JsonValue, (text) => {
          for (const { name } of placeholdersIn(text)) {
            const [, rule, number] = NUMBERED.exec(name) ?? []
            if (rule !== undefined)
              highest.set(rule, Math.max(highest.get(rule) ?? 0, Number(number)))
          }
          return false
        })
  return highest
}

/**
 * Numbers the values of rules by first appearance in a cassette.
 *
 * @returns what does so in one message after the other; `undefined` where no message has such a value
 */
export function renumberValues(
  messages: readonly Message[],
): (<One extends Message>(message: One) => One) | undefined {
  if (!messages.some(holdsNumber)) return undefined
  const numbers = new Map<string, string>()
  const counts = new Map<string, number>()
  const renumber = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (whole, opening: string, escapes: string, name: string) => {
      const [, rule, number] = (escapes === '' && NUMBERED.exec(name)) || []
      if (rule === undefined) return whole
      const key = `${rule}.${number}`
      let fresh = numbers.get(key)
      if (fresh === undefined) {
        counts.set(rule, (counts.get(rule) ?? 0) + 1)
        numbers.set(key, (fresh = `${rule}.${counts.get(rule)}`))
      }
      return opening + fresh + whole.slice(opening.length + key.length)
    })
  return <One extends Message>(message: One): One =>
    holdsNumber(message)
      ? (mapStrings(message as unknown as JsonValue, renumber) as unknown as One)
      : message
}

/** Whether a message holds the placeholder of a value of a rule. */
export function holdsNumber(message: Message): boolean {
  return findText(message as unknown as JsonValue, (text) =>
    placeholdersIn(text).some(({ name }) => NUMBERED.test(name)),
  )
}

/** Whether a body holds a placeholder. Called for every recorded request, so it writes out no JSON. */
export function holdsPlaceholder(body: Body): boolean {
  return findText(body as unknown as JsonValue, mayHoldPlaceholder)
}

/** Whether a text in a value is one that is looked for. Bytes are no texts. */
function findText(value: JsonValue, isOne: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isOne(value)
  if (!isContainer(value) || ArrayBuffer.isView(value)) return false
  if (Array.isArray(value)) return value.some((item) => findText(item, isOne))
  for (const key in value) if (isOne(key) || findText(value[key]!, isOne)) return true
  return false
}

/** A value with other strings, and other keys. Bytes stay. */
export function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value)
  if (ArrayBuffer.isView(value)) return value
  const inside = mapInside(value, (child) => mapStrings(child, map))
  if (!isJsonObject(inside)) return inside
  const keys = Object.keys(inside).map((key) => [key, map(key)] as const)
  if (keys.every(([key, mapped]) => key === mapped)) return inside
  return Object.fromEntries(keys.map(([key, mapped]) => [mapped, inside[key]!]))
}

/** What counts of a text that is replaced as a whole: a digest of the rest, without the secret. */
export function restOf(text: string | Uint8Array): string {
  return `+${sha256(text).slice(0, 12)}`
}
