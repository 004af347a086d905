import { isRecorded, type Cassette, type Exchange } from '../cassette/cassette.ts'
import { addParams, type ParamValues } from '../config/check-params.ts'
import type { Mode } from '../config/mode.ts'
import { APART, WholeWords } from '../json/swap.ts'
import { markNumber, spansOf, type FindSpans } from '../json/text-span.ts'
import { CassetteError } from '../errors.ts'
import type { Redactor } from '../secrets/redactor.ts'
import { holdsText } from '../text/holds-text.ts'
import { textOf } from '../wire/body.ts'
import type { WireRequest, WireResponse } from '../wire/message.ts'
import { replaceInBody } from '../wire/replace-texts.ts'

/** Marks the placeholder of a JSON number, which becomes a number again; any other value is `{{name}}`. */
const AS_NUMBER = ':number'

/**
 * The parameters that a test declares. Messages are compared and stored with `{{name}}` in place of their values; the
 * application and the test see the values. This is done where secrets are redacted, so that matching, differences and
 * cassettes know nothing of the values.
 */
export class Params {
  readonly values: ParamValues
  readonly #names: string[]
  #hide?: FindSpans
  #show?: FindSpans
  #placeholder?: RegExp

  constructor(values: ParamValues = {}) {
    this.values = values
    this.#names = Object.keys(values)
  }

  /** True where nothing is declared. */
  get none(): boolean {
    return this.#names.length === 0
  }

  declares(name: string): boolean {
    return Object.hasOwn(this.values, name)
  }

  /** Those of them that have these names. */
  only(names: Iterable<string>): Params {
    const values = Array.from(names, (name) => [name, this.values[name]!] as const)
    return values.length === this.#names.length ? this : new Params(Object.fromEntries(values))
  }

  /** Whether a text, or a text in JSON, holds a placeholder, or what looks like one. */
  areIn(text: unknown): boolean {
    return !this.none && holdsText(text, (this.#placeholder ??= placeholder(this.#names, 'u')))
  }

  /** @throws CassetteError as {@link addParams} does. */
  with(values: ParamValues): Params {
    return new Params(addParams(this.values, values))
  }

  /** A request or an answer with placeholders in place of the values. */
  hide<T extends WireRequest | WireResponse>(message: T): T {
    if (this.none) return message
    return replaceInBody(message, (this.#hide ??= findValues(this.values)))
  }

  /** A request or an answer with the values of this run in place of the placeholders. */
  show<T extends WireRequest | WireResponse>(message: T): T {
    if (this.none) return message
    return replaceInBody(message, (this.#show ??= findPlaceholders(this.values)))
  }

  /** A redactor that also puts placeholders in place of the values. */
  around(redactor: Redactor): Redactor {
    if (this.none) return redactor
    return {
      request: (wire) => this.hide(redactor.request(wire)),
      response: (wire) => this.hide(redactor.response(wire)),
    }
  }

  /**
   * The cassette as this test reads it: where it was recorded without the parameter, `{{name}}` is plain text.
   *
   * @throws CassetteError `miss` when the cassette has parameters that the test does not declare.
   */
  read(cassette: Cassette | undefined, mode: Mode): Cassette | undefined {
    // Mode `all` replays nothing.
    if (mode === 'all') return cassette
    const stored = cassette?.params ?? {}
    const missing = Object.keys(stored).filter((name) => !this.#names.includes(name))
    if (missing.length > 0) throw undeclared(missing, stored)
    const fresh = this.#names.filter((name) => !Object.hasOwn(stored, name))
    if (!cassette || fresh.length === 0) return cassette
    const escape = findLiterals(fresh)
    const read = (exchange: Exchange): Exchange => {
      if (!isRecorded(exchange)) return exchange
      const request = replaceInBody(exchange.wire.request, escape)
      const response = replaceInBody(exchange.wire.response, escape)
      return { ...exchange, wire: { request, response } }
    }
    return { ...cassette, exchanges: cassette.exchanges.map(read) }
  }

  /** The parameters in a request that its cassette was recorded without. */
  newIn({ body }: WireRequest, cassette: Cassette | undefined): string[] {
    if (!cassette || this.none) return []
    const known = cassette.params ?? {}
    const asked = textOf(body)
    const isWritten = cassette.exchanges.some((exchange) => !isRecorded(exchange))
    return this.#names.filter(
      (name) => !isWritten && !Object.hasOwn(known, name) && asked.includes(`{{${name}`),
    )
  }
}

/** The parameters that occur in exchanges; `undefined` where none does. */
export function usedParams(
  exchanges: readonly Exchange[],
  values: ParamValues,
): ParamValues | undefined {
  const all = Object.entries(values)
  if (all.length === 0) return undefined
  const texts = exchanges.map(({ wire, prompt, response }) => {
    const bodies = [wire?.request, wire?.response].map((half) => (half ? textOf(half.body) : ''))
    return [...bodies, prompt.text, JSON.stringify(response)].join('\n')
  })
  const used = all.filter(([name]) => texts.some((text) => placeholder([name]).test(text)))
  return used.length > 0 ? Object.fromEntries(used) : undefined
}

/** Matches `{{name}}`, `{{name:number}}`, and the same with `=` before the name, which escapes a text like them. */
function placeholder(names: readonly string[], flags: string = 'gu'): RegExp {
  return new RegExp(`\\{\\{(=*)(${names.join('|')})(${AS_NUMBER})?\\}\\}`, flags)
}

/** Finds texts that look like a placeholder, and escapes each with one more `=`. */
function findLiterals(names: readonly string[]): FindSpans {
  const pattern = placeholder(names)
  return (text) => spansOf(text, pattern, (literal) => `{{=${literal!.slice(2)}`)
}

function findValues(values: ParamValues): FindSpans {
  const names = new WholeWords(APART)
  for (const [name, value] of Object.entries(values)) names.set(String(value), name)
  const literals = findLiterals(Object.keys(values))
  return (text, isNumber) => {
    if (!isNumber)
      return [
        ...names.find(text).map((span) => ({ ...span, text: `{{${span.text}}}` })),
        ...literals(text),
      ]
    const name = names.get(text)
    return name === undefined
      ? []
      : [{ start: 0, end: text.length, text: `{{${name}${AS_NUMBER}}}` }]
  }
}

function findPlaceholders(values: ParamValues): FindSpans {
  const pattern = placeholder(Object.keys(values))
  return (text) =>
    spansOf(text, pattern, (whole, escapes, name, asNumber) => {
      if (escapes) return `{{${whole!.slice(3)}`
      const value = String(values[name!])
      const isNumber = asNumber !== undefined && whole === text && isJsonNumber(value)
      return isNumber ? markNumber(value) : value
    })
}

function isJsonNumber(value: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)
}

function undeclared(names: string[], stored: ParamValues): CassetteError {
  const line = names.map((name) => `${name}: ${JSON.stringify(stored[name])}`).join(', ')
  return new CassetteError(
    'miss',
    `The cassette was recorded with ${names.join(', ')} as ${names.length === 1 ? 'a parameter' : 'parameters'}, which this test does not declare\n` +
      `Declare the value of this run, before the first request:\n  cassette.params({ ${line} })\n` +
      'Or record the test without it:',
  )
}
