import type { JsonValue } from '../../json/json-value.ts'
import { rewrite } from '../../json/walk.ts'
import type {
  CheckedRedactRule,
  FindPrivate,
  RedactOption,
  RedactRules,
} from '../../config/option-values.ts'
import type { Exchange } from '../../cassette/cassette.ts'
import { CassetteError } from '../../errors.ts'
import {
  type FindSpans,
  placesOf,
  replaceSpans,
  spansOf,
  type TextSpan,
} from '../../json/text-span.ts'
import { loadVolatile } from '../../prompt/load-volatile.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { rememberFor } from '../../remember.ts'
import { Numbers } from '../../text/numbers.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import { MAY_BE_NUMBERED, MAY_BE_PLACEHOLDER, holdsText } from '../../text/holds-text.ts'
import { NUMBERED, PLACEHOLDER, placeholdersIn } from '../../text/placeholders.ts'
import { isPattern } from '../../text/is-pattern.ts'
import type { WireRequest, WireResponse } from '../../wire/message.ts'
import { replaceInBody, replaceTexts } from '../../wire/replace-texts.ts'
import { mapSpelled, queryOf, spellQuery } from '../../wire/url.ts'
import { isGuessable } from '../find/is-guessable.ts'
import { type Body, textOf } from '../../wire/body.ts'
import { isKnownName, isSecret, type KnownValue } from '../known-values.ts'
import type { Redacting } from '../redactions.ts'

export { placeholdersIn }

// Loaded where a user has rules, or a text looks like a placeholder: `redactions.ts` names it.

/** A message, recorded or of this run. */
type Message = WireRequest | WireResponse

/** The placeholders of an attempt, made on first use. */
export function redactionsOf(one: Redacting): Redactions {
  return (one.redactions ??= new Redactions(() => one.held?.exchanges ?? []))
}

/**
 * The placeholders of one attempt. A value of a rule has one number in it; it begins after those of the cassette, so
 * that no number stands for a value of the recording and for another one of this run.
 */
export class Redactions {
  readonly #numbers: Numbers
  readonly #values: Map<string, string> = new Map()
  /** The placeholders in responses that the application got, and may send back. */
  readonly #given: Set<string> = new Set()

  /** @param exchanges those of the cassette, read when the first value gets a number */
  constructor(exchanges: () => readonly Exchange[]) {
    let highest: Map<string, number> | undefined
    this.#numbers = new Numbers((rule) => (highest ??= highestIn(exchanges())).get(rule) ?? 0)
  }

  /**
   * The placeholder of a value that a rule found.
   *
   * @param digits how many digits of its digest count
   */
  placeholderFor(rule: string, value: string, digits: number): string {
    const check = digits > 0 ? ` ${sha256(value).slice(0, digits)}` : ''
    const placeholder = placeholderOf(`${rule}.${this.#numbers.of(value, rule)}${check}`)
    this.#values.set(placeholder, value)
    return placeholder
  }

  /** Escapes what looks like a placeholder, except for those that a response of this attempt held. */
  findLiterals(text: string): TextSpan[] {
    if (!MAY_BE_PLACEHOLDER.test(text)) return []
    return Array.from(text.matchAll(PLACEHOLDER), ({ 0: whole, 1: opening, index: start }) =>
      this.#given.has(whole)
        ? { start, end: start + whole.length, text: whole }
        : // What follows may hold a secret.
          { start, end: start + opening!.length, text: `${opening}=` },
    )
  }

  /** A response as the application gets it: with the values of this attempt, and escaped texts as they were. */
  show(response: WireResponse): WireResponse {
    const { headers, body } = response
    const names = Object.keys(headers).filter((name) => MAY_BE_PLACEHOLDER.test(headers[name]!))
    if (names.length === 0 && !holdsText(body, MAY_BE_PLACEHOLDER)) return response
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
    if (!MAY_BE_PLACEHOLDER.test(text)) return []
    return spansOf(text, PLACEHOLDER, (whole) => this.#shown(whole!))
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
  const note = (text: string): string => {
    for (const { name } of placeholdersIn(text)) {
      const [, rule, number] = NUMBERED.exec(name) ?? []
      if (rule !== undefined) highest.set(rule, Math.max(highest.get(rule) ?? 0, Number(number)))
    }
    return text
  }
  for (const { wire } of exchanges)
    for (const message of [wire?.request, wire?.response])
      if (message && holdsText(message, MAY_BE_NUMBERED))
        mapStrings(message as unknown as JsonValue, note)
  return highest
}

/** A request in the forms that matching needs. */
interface Read<Form> {
  wire: WireRequest
  before?: Form
  inForm(wire: WireRequest, before?: Form): Form
}

/** An exchange before it is written: recorded, or by hand. */
interface Turn<Form> {
  incoming?: Form
  response: WireResponse
  wire?: { request: WireRequest }
}

/** Exchanges with the values of rules numbered by first appearance, since the numbers of two runs differ. */
export function numberValues<Form extends Read<Form>, One extends object>(
  turns: readonly One[],
): One[] {
  const renumber = renumberValues()
  // A request on a socket names the one before it.
  const renumbered = new Map<Form | undefined, Form>()
  return turns.map((one) => {
    const turn = one as Turn<Form>
    if (!turn.incoming)
      return turn.wire ? { ...one, wire: { request: renumber(turn.wire.request) } } : one
    const { incoming, response } = turn
    const before = renumbered.get(incoming.before) ?? incoming.before
    const fresh = incoming.inForm(renumber(incoming.wire), before)
    renumbered.set(incoming, fresh)
    return { ...one, incoming: fresh, response: renumber(response) }
  })
}

/** Makes what numbers the values of rules in one message after the other. */
function renumberValues(): <One extends Message>(message: One) => One {
  const numbers = new Numbers()
  const renumber = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (whole, opening: string, escapes: string, name: string) => {
      const [, rule, number] = (escapes === '' && NUMBERED.exec(name)) || []
      if (rule === undefined) return whole
      const rest = whole.slice(`${opening}${rule}.${number}`.length)
      return `${opening}${rule}.${numbers.of(number!, rule)}${rest}`
    })
  return <One extends Message>(message: One): One =>
    holdsText(message, MAY_BE_NUMBERED)
      ? (mapStrings(message as unknown as JsonValue, renumber) as unknown as One)
      : message
}

/** A request with the values of variables that are no secrets here in the place of their placeholders. */
export function restored(
  wire: WireRequest,
  env: Readonly<Record<string, string | undefined>>,
): WireRequest {
  return replaceInBody(wire, (text) =>
    spansOf(text, PLACEHOLDER, (_whole, _opening, escapes, name) => {
      const value = escapes === '' ? env[name!] : undefined
      const isHarmless = value !== undefined && isKnownName(name!) && !isSecret(name!, value)
      return isHarmless ? value : undefined
    }),
  )
}

/** The rules of the user, and the credentials that are stored. */
export interface ReadRules {
  rules: readonly NamedRule[]
  /** The names of the credentials that are stored. */
  kept: readonly string[]
  /** Credentials without those that the user wants to keep, by whatever other name they are known. */
  withoutKept(known: readonly KnownValue[]): readonly KnownValue[]
}

export const readRedactRules: (redact: RedactOption) => ReadRules = rememberFor((redact) => {
  const rules: NamedRule[] = []
  const keep = new Set<string>()
  let unnamed = 0
  for (const rule of listRules(redact))
    if ('keep' in rule) for (const name of rule.keep) keep.add(name)
    else {
      const checked = 'match' in rule ? rule : { match: rule, name: nameOf(rule) }
      if (typeof checked.match !== 'function' && !isPattern(checked.match)) throw lostRule(rule)
      const name = checked.name ?? (++unnamed === 1 ? 'rule' : `rule${unnamed}`)
      rules.push({ ...checked, name })
    }
  return {
    rules,
    kept: [...keep],
    withoutKept: (known) => (keep.size === 0 ? known : withoutKept(known, keep)),
  }
})

/** Runners that send options as JSON lose expressions. */
function lostRule(rule: unknown): CassetteError {
  return new CassetteError(
    'invalid-option',
    `A rule of redact arrived in the tests as ${JSON.stringify(rule)}, which is no rule.`,
  )
}

/** Rules that were given by their names, in a list. */
function listRules(redact: RedactOption): RedactRules {
  if (Array.isArray(redact)) return redact as RedactRules
  return Object.entries(redact).map(([name, rule]: [string, unknown]) => {
    if (name === 'keep') return { keep: rule as string[] }
    const isMatch = typeof rule === 'function' || isPattern(rule)
    return { ...(isMatch ? { match: rule } : (rule as object)), name } as CheckedRedactRule
  })
}

/** The name of a function is that of its rule. */
function nameOf(rule: RegExp | FindPrivate): string | undefined {
  return typeof rule === 'function' ? rule.name.replaceAll(/[^\w-]/g, '') || undefined : undefined
}

function withoutKept(known: readonly KnownValue[], keep: ReadonlySet<string>): KnownValue[] {
  const kept = new Set(known.flatMap(({ name, value }) => (keep.has(name) ? value : [])))
  return known.filter(({ value }) => !kept.has(value))
}

/** Digits of the digest of a value that nobody can guess. */
const MAX_DIGITS = 12

/**
 * Finds the pieces that match the user's rules.
 *
 * @throws CassetteError `invalid-option` for a function that fails or returns no pieces, and for a rule that finds prose
 */
export function findByRules(
  text: string,
  rules: readonly NamedRule[],
  of: Redacting,
  findOwn: FindSpans,
): TextSpan[] {
  return rules.flatMap(({ name, match, check = 0, isNumbered = true }) => {
    const places = placesIn(text, match, name).filter(({ start, end }) => start < end)
    if (places.length > 0 && loadVolatile().coversProse(text, places))
      throw swallows(name, replaceSpans(text, findOwn(text)))
    return places.map(({ start, end }) => {
      const value = text.slice(start, end)
      const digits = isGuessable(value) ? check / 4 : MAX_DIGITS
      const placeholder = isNumbered
        ? redactionsOf(of).placeholderFor(name, value, digits)
        : placeholderOf(name)
      return { start, end, text: placeholder }
    })
  })
}

/** A rule with its name. The values of one of the import have no numbers, as they stand for any text. */
type NamedRule = CheckedRedactRule & { name: string; isNumbered?: boolean }

/** Replaces what rules find in an address, which spells a value in its own way, where it stands. */
export function replaceInUrl(href: string, find: FindSpans): string {
  const replace = (text: string): string => replaceSpans(text, find(text))
  const url = new URL(href)
  const before = queryOf(url)
  const pairs = before.map((pair): [string, string] => [
    mapSpelled(pair[0], replace),
    mapSpelled(pair[1], replace),
  ])
  if (pairs.some((pair, at) => pair.join() !== before[at]!.join())) url.search = spellQuery(pairs)
  const segments = url.pathname.split('/').map((spelled) => {
    const text = decodedSegment(spelled)
    const replaced = replace(text)
    return replaced === text ? spelled : replaced.replaceAll(/[%/?#\\]/g, encodeURIComponent)
  })
  const path = segments.join('/')
  if (path !== url.pathname) url.pathname = path
  return url.href
}

function decodedSegment(spelled: string): string {
  try {
    return decodeURIComponent(spelled)
  } catch {
    return spelled
  }
}

function swallows(name: string, text: string): CassetteError {
  return new CassetteError(
    'invalid-option',
    `The redact rule ${name} would swallow prose, so a changed prompt would pass: most words of ${JSON.stringify(text.slice(0, 200))}\n` +
      'Describe only the data in it that is never stored.',
  )
}

function placesIn(
  text: string,
  match: CheckedRedactRule['match'],
  name: string,
): Array<Omit<TextSpan, 'text'>> {
  if (typeof match === 'function')
    return askFor(match, name, text).flatMap((piece) => placesOf(piece, text))
  const flags = match.flags.replace('y', '')
  const global = new RegExp(match.source, flags.includes('g') ? flags : `${flags}g`)
  return Array.from(text.matchAll(global), ({ 0: piece, index: start }) => ({
    start,
    end: start + piece.length,
  }))
}

function askFor(find: FindPrivate, name: string, text: string): readonly string[] {
  let pieces: unknown
  try {
    pieces = find(text)
  } catch (error) {
    const message = `The redact rule ${name} threw: ${String(error)}`
    throw new CassetteError('invalid-option', message, { cause: error })
  }
  if (Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')) return pieces
  throw new CassetteError(
    'invalid-option',
    `The redact rule ${name} did not return an array of texts. Return the pieces that are not to be stored, none where there are none.`,
  )
}

/** Notes the credentials in a prompt that can be guessed. */
export function noteGuessable(body: Body, known: readonly KnownValue[], of: Redacting): void {
  const weak = known.filter(({ value }) => isGuessable(value))
  if (weak.length === 0) return
  const text = textOf(body)
  for (const { name } of weak)
    if (text.includes(placeholderOf(name))) (of.guessable ??= new Set()).add(name)
}

/**
 * Refuses to record a prompt that holds a credential of the request or the environment that is no secret by its form,
 * such as the name of a tenant: its placeholder stands for any value, so that a changed prompt would pass.
 *
 * @returns the reason where nothing may be recorded
 */
export function refuseGuessable(
  guessable: ReadonlySet<string>,
  { body }: WireRequest,
): CassetteError | undefined {
  const prompt = textOf(body)
  const name = [...guessable].find((one) => prompt.includes(placeholderOf(one)))
  if (name === undefined) return undefined
  return new CassetteError(
    'secret',
    `Nothing is recorded: the prompt holds the value of ${name}, which is sent or named as a credential and can be guessed\n` +
      `${placeholderOf(name)} would stand for every value, so a changed prompt would pass. Use another key, or ` +
      `store the value as it is, so that a change of it fails:\n  cassettes({ redact: { keep: ['${name}'] } })`,
  )
}

/** A value with other strings, and other keys. Bytes stay. */
export function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  return rewrite(value, (one) => (typeof one === 'string' ? map(one) : undefined), map)
}
