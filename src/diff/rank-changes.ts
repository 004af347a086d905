import type { JsonValue } from '../json/json-value.ts'
import type { Part } from '../prompt/prompt.ts'
import { AGENT_RULES } from '../prompt/agent-rules.ts'
import { NAMED_RULES } from '../prompt/named-rules.ts'
import { rememberFor } from '../remember.ts'
import { differingParts } from '../text/common-ends.ts'
import type { Content, PromptPlace } from './prompt-change.ts'

/** What a reader wants to know first. */
const RANKS = ['words', 'setting', 'answer', 'derived'] as const
type Rank = (typeof RANKS)[number]

const PEOPLE = new Set(['system', 'developer', 'user'])

/** Fields that hold ids, digests, dates and what an agent program notes about its session. */
const DERIVED_FIELD =
  /^(?:client_)?metadata\b|(?:^|[._-])(?:u?u?id|user_?id|user|identifier|key|hash|digest|fingerprint|etag|nonce|timestamp|date)$|Id$/i

/** A line that a program writes for its provider: `x-anthropic-billing-header: cc_version=…`. */
const HEADER_LINE = /^x-[\w-]+: .*$/gm

/** Paths as a whole, before rules that know the start of some. */
const PATH = /(?:\/[\w.@~-]+){2,}|\b[a-z]:(?:\\[\w.@~-]+){2,}/gi

/** Versions, digests and ids of any length. A change of rank costs nothing if it stands alone. */
const MADE_UP =
  /\d+(?:\.[\da-z]+){2,}|(?<![\w+/-])[\w+/-]{8,}={1,2}|(?<![\da-z])(?=[a-z]*\d)(?=\d*[a-z])[\da-z]{3,}(?![\da-z])|\b\d{6,}\b/gi

/** What a program notes beside a name: `nonce: kQpXw`, `pid 4821`, `run #17`. A person's `request: be brief` has no digit. */
const LABELLED =
  /\b(?:nonce|sha\d*|hash|digest|checksum|etag)["'`]?\s*[:=]\s*["'`]?[^\s"'`,;)<>]+|\b(?:trace|span|request|session|thread|run|build|commit|revision|pid|port|seed|uptime)(?:[ _-]?(?:id|no|number|key))?["'`]?\s*[:=# ]\s*["'`#]?(?=[\w.:-]*\d)[\w.:-]+/gi

/** A day without its year. */
const DAY =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?\b/gi

const PATTERNS = [
  HEADER_LINE,
  ...Object.values(AGENT_RULES).flatMap(({ patterns }) => patterns),
  PATH,
  ...Object.values(NAMED_RULES),
  LABELLED,
  DAY,
  MADE_UP,
]

/** The place and the contents of a change, in a prompt or in a review. */
interface Ranked {
  kind: string
  place: PromptPlace
  before?: Content
  after?: Content
}

/** The rank of a change, from 0: words of people, then settings and tools, then answers and results, then ids and dates. */
export function rankOf(change: Ranked): number {
  return RANKS.indexOf(kindOf(change))
}

/** Whether a change is one of ids, digests, dates and the like, which follow from something else. */
export function isDerived(change: Ranked): boolean {
  return kindOf(change) === 'derived'
}

/** Whether two texts differ in ids, digests, dates, versions or paths alone. */
function differInMadeUp(before: string, after: string): boolean {
  const [old, current] = differingLines(before, after).map(withoutMadeUp)
  return old === current
}

/** The lines from the first to the last in which two texts differ. */
export function differingLines(before: string, after: string): [before: string, after: string] {
  return differingParts(before, after, (character) => character !== '\n')
}

const kindOf = rememberFor(({ kind, place, before, after }: Ranked): Rank => {
  if (kind === 'edited' && before && after && isMadeUp(place, before, after)) return 'derived'
  if (place.area === 'tool') return /(?:^|\.)description$/.test(place.path) ? 'words' : 'setting'
  if (place.area === 'field') return 'setting'
  const types = typesOf(place.part?.type, after ?? before)
  if (!PEOPLE.has(place.role) || types.every((type) => type === 'tool_call_response'))
    return 'answer'
  const text = textOf(after ?? before)
  const isShort = text !== undefined && text.length <= LONGEST_VALUE
  if (isShort && withoutMadeUp(text).trim() === MADE_UP_MARK) return 'derived'
  return place.path === '' && types.includes('text') ? 'words' : 'setting'
})

function isMadeUp(place: PromptPlace, before: Content, after: Content): boolean {
  if (place.area !== 'tool' && DERIVED_FIELD.test(place.path)) return true
  const [old, current] = [textOf(before), textOf(after)]
  return old !== undefined && current !== undefined && differInMadeUp(old, current)
}

function typesOf(type: Part['type'] | undefined, content: Content | undefined): Part['type'][] {
  if (type) return [type]
  if (content?.type !== 'message') return ['text']
  return content.message.parts.map((part) => part.type)
}

/** The text of a content that is nothing but text. */
function textOf(content: Content | undefined): string | undefined {
  if (content?.type === 'text') return content.text
  if (content?.type === 'part' && content.part.type === 'text') return content.part.text
  if (content?.type !== 'value') return undefined
  const { value }: { value: JsonValue } = content
  // A mark of the canonical form stands for something else, such as a picture.
  return typeof value === 'string' && !value.startsWith(MADE_UP_MARK) ? value : undefined
}

export const MADE_UP_MARK = '\u0000'

/** A longer text is no single id, date or digest. */
const LONGEST_VALUE = 1_000

/** In longer texts, such as files in base64, a pattern can exhaust the stack. */
const LONGEST = 200_000

/** A text with a mark in the place of all that is made up; a very long one as it is. */
export function withoutMadeUp(text: string): string {
  if (text.length > LONGEST) return text
  return PATTERNS.reduce((left, pattern) => left.replace(pattern, MADE_UP_MARK), text)
}
