import { SIMPLE_PATH, VOLATILE_NAMES } from '../config/volatile-rule.ts'
import { CONTENTS } from '../prompt/canonical.ts'
import { loadVolatile } from '../prompt/load-volatile.ts'
import { differingParts } from '../text/common-ends.ts'
import { escapeInSlashes } from '../text/escape-pattern.ts'
import { compareJson } from '../json/compare-json.ts'
import { isJsonObject, type JsonValue } from '../json/json-value.ts'
import { compileRules } from '../prompt/volatile-rules.ts'

/** The requests of one test in one run, in the form in which they are compared, without declared volatile values. */
export interface AskedInRun {
  test: string
  /** The rules of the test, as source code. */
  declared: string[]
  requests: JsonValue[]
  /** True where a request was not answered, so that later requests may be missing. */
  hasMiss: boolean
}

/** A value that differs between two runs. */
export interface RunDifference {
  place: string
  one: string
  other: string
  /** The rule that would declare it, as source code, where there is one. */
  rule?: string
}

const NAMED = compileRules(VOLATILE_NAMES)

/** The text that replaces a value found by a named rule. */
const mark = (rule: string): string => `\ufdd0${rule}\ufdd0`

/** Lists the differences between the requests of a test in two runs. The order of the requests does not count. */
export function differencesBetween(
  one: readonly JsonValue[],
  other: readonly JsonValue[],
): RunDifference[] {
  const others = other.map((request) => JSON.stringify(request))
  const rest = one.filter((request) => {
    const at = others.indexOf(JSON.stringify(request))
    if (at >= 0) others.splice(at, 1)
    return at < 0
  })
  const found = rest
    .slice(0, others.length)
    .flatMap((request, at) => compare(request, JSON.parse(others[at]!) as JsonValue))
  if (one.length !== other.length)
    found.push({ place: 'requests', one: String(one.length), other: String(other.length) })
  return [...new Map(found.map((difference) => [JSON.stringify(difference), difference])).values()]
}

function compare(one: JsonValue, other: JsonValue): RunDifference[] {
  // The request before on a socket is compared on its own.
  const [request, another] = [one, other].map(withoutEarlier)
  return compareJson(request, another, '', {
    below,
    items: (items, others, place) =>
      items.length === others.length
        ? items.map((item, at) => ({ one: item, other: others[at], place: `${place}[${at}]` }))
        : undefined,
    differ(first, second, place) {
      if (typeof first === 'string' && typeof second === 'string')
        return compareTexts(first, second, place)
      const [spelled, others] = [spell(first), spell(second)]
      return spelled === others ? [] : [withPath({ place, one: spelled, other: others })]
    },
  })
}

function withoutEarlier(request: JsonValue): JsonValue {
  if (!isJsonObject(request)) return request
  const { after: _, ...rest } = request
  return rest
}

const BODIES: ReadonlySet<string> = new Set(CONTENTS)

/** The paths of rules begin at the body. */
function below(place: string, key: string): string {
  return place === '' ? (BODIES.has(key) ? '$' : key) : `${place}.${key}`
}

function compareTexts(one: string, other: string, place: string): RunDifference[] {
  const [first, second] = [one, other].map(markNamed) as [Marked, Marked]
  const found: RunDifference[] = []
  if (place.startsWith('$') && first.values.length === second.values.length)
    first.values.forEach(({ rule, text }, at) => {
      const { rule: otherRule, text: otherText } = second.values[at]!
      if (rule === otherRule && text !== otherText)
        found.push({ place, one: text, other: otherText, rule: `'${rule}'` })
    })
  if (first.text === second.text && found.length > 0) return found
  const rest = found.length > 0 ? ([first.text, second.text] as const) : ([one, other] as const)
  const [before, after] = differingParts(...rest, isOfWord)
  const difference = withPath({ place, one: before, other: after })
  return [...found, difference.rule ? difference : withPattern(difference, ...rest)]
}

interface Marked {
  text: string
  values: Array<{ rule: string; text: string }>
}

function markNamed(text: string): Marked {
  const values = NAMED.find(text)
  const marked = values.reduceRight(
    (rest, { start, end, rule }) => rest.slice(0, start) + mark(rule) + rest.slice(end),
    text,
  )
  return { text: marked, values }
}

function isOfWord(character: string): boolean {
  return /[^\s"'`<>()[\]{},;:=\ufdd0]/.test(character)
}

/** Declares a whole value outside of the prompt by its path. */
function withPath(difference: RunDifference): RunDifference {
  const { place } = difference
  if (!SIMPLE_PATH.test(place) || !loadVolatile().isBesidePrompt(place)) return difference
  return { ...difference, rule: `'${place}'` }
}

/** Declares one word in a text by the text before it, where that makes both texts equal. */
function withPattern(difference: RunDifference, one: string, other: string): RunDifference {
  const isWord = /^[^\s"'`<>()[\]{},;\ufdd0]+$/
  if (
    !difference.place.startsWith('$') ||
    ![difference.one, difference.other].every((text) => isWord.test(text))
  )
    return difference
  const before = one.slice(0, one.indexOf(difference.one))
  const [lead] = /[A-Za-z][^\n\ufdd0]{0,19}$/.exec(before) ?? []
  if (lead === undefined || lead.length < 3) return withShape(difference, one, other)
  const word = `(?<=${escapeInSlashes(lead)})[^\\s"'<>,;]+`
  // Without the marks that end a sentence, where a word ends with a letter or a digit.
  const source = [`${word}\\b`, word].find((source) => {
    const pattern = new RegExp(source, 'g')
    return one.replace(pattern, '') === other.replace(pattern, '')
  })
  return source === undefined
    ? withShape(difference, one, other)
    : { ...difference, rule: `/${source}/` }
}

/** Declares two words that differ in their digits alone by their other characters, as `/\bn\d+\b/` does `n515890`. */
function withShape(difference: RunDifference, one: string, other: string): RunDifference {
  const [shape, another] = [difference.one, difference.other].map((word) =>
    escapeInSlashes(word).replace(/\d+/g, '\\d+'),
  )
  // Digits alone stand for too much.
  if (shape !== another || !/^\w.*\w$/.test(difference.one) || !/[A-Za-z]/.test(difference.one))
    return difference
  const source = `\\b${shape}\\b`
  const pattern = new RegExp(source, 'g')
  const isEnough = one.replace(pattern, '') === other.replace(pattern, '')
  return isEnough ? { ...difference, rule: `/${source}/` } : difference
}

function spell(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  return Array.isArray(value) ? `${value.length} items` : JSON.stringify(value)
}
