import { isPattern } from '../../../text/is-pattern.ts'
import type { MatcherState } from 'vitest'
import { countOf } from '../../../text/count-of.ts'
import { collectTexts } from '../../../diff/message-key.ts'
import { sketchWords } from '../../../diff/similarity.ts'
import type { AskedExchange } from '../../../recording/asked.ts'
import type { JsonValue } from '../../../json/json-value.ts'
import type { Part, Tool } from '../../../prompt/prompt.ts'
import { cassetteOf, listOf, quoteText, resultOf, type MatcherResult } from './matcher-result.ts'

/** A text in a prompt, with its place and its role. */
interface Said {
  place: string
  role: string
  text: string
  /** The strings inside its JSON, without the escapes of JSON. */
  inside: string[]
}

/** The number of characters shown before a match. */
const AROUND = 60

/** Asserts that some prompt held this text. */
export function toHaveAsked(
  this: MatcherState,
  received: unknown,
  wanted: string | RegExp,
): MatcherResult {
  const { exchanges } = cassetteOf(received, 'toHaveAsked')
  if (wanted === '') throw new TypeError("toHaveAsked('') is true of every prompt: give it a text.")
  const said = exchanges.flatMap(sayingsOf)
  const found = said.flatMap((saying) => findIn(saying, wanted) ?? [])
  const shown = this.utils.EXPECTED_COLOR(isPattern(wanted) ? String(wanted) : quoteText(wanted))
  return resultOf(found.length > 0, () =>
    found.length > 0
      ? [`A prompt held ${shown}`, list(distinct(found))]
      : [`No prompt held ${shown}`, instead()],
  )

  function instead(): string {
    if (said.length === 0) return 'The test asked nothing.'
    const closest = typeof wanted === 'string' ? closestTo(wanted, said) : undefined
    if (closest) return `The closest text is:\n${list([closest])}`
    return `${countOf(exchanges.length, 'prompt')} held:\n${list(distinct(said))}`
  }
}

/** The saying, cut to start shortly before the wanted text. */
function findIn(saying: Said, wanted: string | RegExp): Said | undefined {
  // With `y`, search() would match at the start of the text only.
  const pattern =
    isPattern(wanted) && new RegExp(wanted.source, wanted.flags.replaceAll(/[gy]/g, ''))
  for (const text of [saying.text, ...saying.inside]) {
    const at = pattern ? text.search(pattern) : text.indexOf(wanted as string)
    if (at < 0) continue
    const start = Math.max(0, at - AROUND)
    return { ...saying, text: start > 0 ? `…${text.slice(start)}` : text }
  }
  return undefined
}

function sayingsOf({ prompt: { messages, tools } }: AskedExchange, index: number): Said[] {
  const place = `exchange-${index + 1}`
  return [
    ...messages.flatMap(({ role, parts }) =>
      parts.flatMap((part) => ({ place, role, ...textsOfPart(part) })),
    ),
    ...tools.map((tool) => ({ place, role: 'tool', ...textsOfTool(tool) })),
  ]
}

function textsOfPart(part: Part): Pick<Said, 'text' | 'inside'> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { text: part.text, inside: [] }
    case 'tool_call':
      return textsOfJson(part.arguments, (json) => `${part.name}(${json})`)
    case 'tool_call_response':
      return textsOfJson(part.result)
    case 'blob':
      return { text: `[${part.mimeType ?? 'file'}, ${part.size} bytes]`, inside: [] }
    case 'uri':
      return { text: part.uri, inside: [] }
    case 'other':
      return textsOfJson(part.value)
  }
}

function textsOfTool({ name, description, parameters = {} }: Tool): Pick<Said, 'text' | 'inside'> {
  return textsOfJson(parameters, () =>
    description === undefined ? name : `${name}: ${description}`,
  )
}

function textsOfJson(
  value: JsonValue,
  show: (json: string) => string = String,
): Pick<Said, 'text' | 'inside'> {
  const inside: string[] = []
  collectTexts(value, inside)
  return { text: show(typeof value === 'string' ? value : JSON.stringify(value)), inside }
}

function list(said: Said[]): string {
  return listOf(said.map(({ place, role, text }) => `${place}  ${role}: ${quoteText(text)}`))
}

/** Keeps the first occurrence of each text: every turn sends the history again. */
function distinct(said: Said[]): Said[] {
  const shown = said.filter(({ text }) => text.trim() !== '')
  const same = Map.groupBy(shown, ({ role, text }) => JSON.stringify([role, text]))
  return Array.from(same.values(), ([first]) => first!)
}

/** The line that shares the most words with the wanted text; the whole text if the wanted one has several lines. */
function closestTo(wanted: string, said: Said[]): Said | undefined {
  const words = sketchWords([wanted]).hashes
  const parts = distinct(said).flatMap((saying) =>
    wanted.includes('\n') ? saying : saying.text.split('\n').map((text) => ({ ...saying, text })),
  )
  const scored = parts.map((part) => {
    const { hashes } = sketchWords([part.text])
    const shared = [...words].filter((word) => hashes.has(word)).length
    // Of two that share as many words, the one with fewer words is closer.
    return { part, shared, score: shared + 1 / (1 + hashes.size) }
  })
  const close = scored.filter(({ shared }) => shared > 0)
  return close.toSorted((one, other) => other.score - one.score)[0]?.part
}
