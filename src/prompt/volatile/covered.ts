import { isContainer, isRawNumber, type JsonValue } from '../../json/json-value.ts'
import { walk } from '../../json/walk.ts'
import type { TextSpan } from '../../json/text-span.ts'
import type { BodyPath } from './body-path.ts'
import { FIXED_FIELD, NAMED_RULES } from '../named-rules.ts'

/** Fields for the application's own notes. Providers store them; no model reads them. */
const CARRIED =
  /^(?:_meta|(?:\w+_)?metadata|\w*Metadata|safety_identifier|prompt_cache_key|(labels))$/i

/** Last words of the names of identifiers. */
const IDENTIFIER = /^(?:id|uuid|guid|nonce)$/

/** What an identifier can name without choosing what a model reads, unlike that of a voice or a stored prompt. */
const NAMED_BY_RUN = new Set(
  (
    'account attempt build call chat client conversation correlation customer device event execution external ' +
    'idempotency installation interaction invocation item job message msg org organization parent req request root ' +
    'run session span step task tenant test thread trace transaction turn user visitor window'
  ).split(' '),
)

/** Other names of values that belong to one run. */
const OF_RUN = /^(?:(?:end_)?user|session|idempotency_key|progress_token|traceparent|tracestate)$/

/** Lists whose items an identifier chooses. */
const CHOSEN = /tool|function|model|file|image|voice|server|agent|skill|plugin/i

/** A single word of code with a digit, such as `req-17`. */
const CODE = /^(?=\D*\d)(?:(?=.*\p{L})|(?=(?:\D*\d){6}))[\p{L}\p{N}_.:@#-]+$/u

/** The path of a file. */
const FILE = /^(?:~?\/|[A-Za-z]:\\)\S*$/

/** What stands between spaces, or a character of a script without spaces. */
const TOKENS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** The letters of a word. */
const LETTERS = /^[\p{L}\p{M}'’-]+/u

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/**
 * The first place in a value that is a part of the prompt: what a model reads, or what steers it. `undefined` for a
 * value that only names a run: the application's own notes, an identifier, a value that a named rule recognises.
 */
export function promptIn(value: JsonValue, path: BodyPath): BodyPath | undefined {
  let found: BodyPath | undefined
  walk(value, (one, below) => {
    const at = [...path, ...below]
    if (found || isBeside(at)) return true
    const isLeaf = !isContainer(one) || Object.keys(one).length === 0
    if (isLeaf && (isContainer(one) || !isOfRun(one, at))) found = at
    return isLeaf
  })
  return found
}

/** Whether pieces of a text are its whole content, or most of its words. */
export function coverText(text: string, spans: readonly TextSpan[], path: BodyPath): boolean {
  if (isBeside(path) || (isNamedByRun(path) && !/\s/.test(text))) return false
  const rest = without(text, spans)
  if (!LETTER_OR_DIGIT.test(rest)) {
    const whole = text.trim()
    return !CODE.test(whole) && !FILE.test(whole) && !isRecognised(whole)
  }
  // Named rules may find any part of a text, so that the user's own may find it too.
  return coverMost(wordsIn(text), spans) && coverMost(wordsIn(unnamed(text)), spans)
}

type Place = Pick<TextSpan, 'start' | 'end'>

/** A text of fewer words can be data alone: a name, an address. */
const MIN_PROSE = 8

/** Whether pieces have most of the words of a text that is prose, whatever stands there. */
export function coversProse(text: string, spans: readonly Place[]): boolean {
  const words = wordsIn(text)
  return words.length >= MIN_PROSE && coverMost(words, spans)
}

/** Whether a path, as rules spell it, can be declared for its values: it belongs to one run, or to no model. */
export function isBesidePrompt(spelled: string, ...values: readonly JsonValue[]): boolean {
  const path = spelled.replace(/^\$\.?/, '').split('.')
  const isProse = values.some((value) => typeof value === 'string' && /\s/.test(value))
  return isBeside(path) || (isNamedByRun(path) && !isProse)
}

/** Whether a place is in a field for the application's own notes, of the body or of the object that it wraps. */
function isBeside(path: BodyPath): boolean {
  const start = path.findIndex((key) => typeof key === 'string')
  return [start, start + 1].some((at) => {
    const key = path[at]
    const [name, labels] = (typeof key === 'string' && CARRIED.exec(key)) || []
    // A list of labels is one to choose from.
    return name !== undefined && (!labels || typeof path[at + 1] === 'string')
  })
}

function isOfRun(value: JsonValue, path: BodyPath): boolean {
  if (FIXED_FIELD.test(String(path.at(-1) ?? ''))) return false
  if (isNamedByRun(path)) return typeof value !== 'string' || !/\s/.test(value)
  if (typeof value === 'string') return isRecognised(value)
  const isNumber = typeof value === 'number' || isRawNumber(value)
  return isNumber && JSON.stringify(value).replace(NAMED_RULES.epoch, '') === ''
}

/** Whether a place has the name of an identifier of this run. */
function isNamedByRun(path: BodyPath): boolean {
  const name = snakeCase(path.at(-1))
  if (OF_RUN.test(name)) return true
  const [last, whose] = name.split('_').toReversed()
  if (!IDENTIFIER.test(last!)) return false
  if (whose !== undefined) return NAMED_BY_RUN.has(whose)
  const [holder, list] = [path.at(-2), path.at(-3)]
  if (typeof holder === 'number') return !CHOSEN.test(String(list))
  return holder === undefined || NAMED_BY_RUN.has(snakeCase(holder).split('_').at(-1)!)
}

function snakeCase(key: string | number | undefined): string {
  return String(key ?? '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

/** Whether named rules find all of a text. */
function isRecognised(text: string): boolean {
  return LETTER_OR_DIGIT.test(text) && !LETTER_OR_DIGIT.test(unnamed(text))
}

/** A text with spaces in the place of what named rules find. */
function unnamed(text: string): string {
  return Object.values(NAMED_RULES).reduce(
    (rest, pattern) => rest.replaceAll(pattern, (found) => ' '.repeat(found.length)),
    text,
  )
}

function without(text: string, spans: readonly TextSpan[]): string {
  return spans.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
}

/** Whether pieces have more than half of the words. */
function coverMost(words: readonly RegExpExecArray[], spans: readonly Place[]): boolean {
  let [covered, next] = [0, 0]
  for (const { 0: token, index } of words) {
    const end = index + token.length
    while (next < spans.length && spans[next]!.end <= index) next++
    let shared = 0
    for (let at = next; at < spans.length && spans[at]!.start < end; at++)
      shared += Math.min(end, spans[at]!.end) - Math.max(index, spans[at]!.start)
    if (shared * 2 > token.length) covered++
  }
  return covered * 2 > words.length
}

function wordsIn(text: string): RegExpExecArray[] {
  return Array.from(text.matchAll(TOKENS)).filter(([token]) => isWord(token))
}

/** Whether a token is a word of prose with the marks around it, and neither code nor a path. */
function isWord(token: string): boolean {
  const start = token.search(LETTER_OR_DIGIT)
  const [letters] = (start >= 0 && LETTERS.exec(token.slice(start))) || []
  return letters !== undefined && !LETTER_OR_DIGIT.test(token.slice(start + letters.length))
}
