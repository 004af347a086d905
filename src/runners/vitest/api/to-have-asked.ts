import type { MatcherState } from 'vitest'
import { countOf } from '../../../text/count-of.ts'
import { collectTexts } from '../../../diff/message-key.ts'
import { sketchWords } from '../../../diff/similarity.ts'
import type { AskedExchange } from '../../../recording/asked.ts'
import type { JsonValue } from '../../../json/json-value.ts'
import type { Part, Tool } from '../../../prompt/prompt.ts'
import { cassetteOf, listOf, quoteText, type MatcherResult } from './matcher-result.ts'

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
  const shown = this.utils.EXPECTED_COLOR(
    wanted instanceof RegExp ? String(wanted) : quoteText(wanted),
  )
  const message = (): string => {
    if (found.length > 0) return `A prompt held ${shown}\n\n${list(distinct(found))}`
    const headline = `No prompt held ${shown}`
    if (said.length === 0) return `${headline}\n\nThe test asked nothing.`
    const closest = typeof wanted === 'string' ? closestTo(wanted, said) : undefined
    if (closest) return `${headline}\n\nThe closest text is:\n${list([closest])}`
    return `${headline}\n\n${countOf(exchanges.length, 'prompt')} held:\n${list(distinct(said))}`
  }
  return { pass: found.length > 0, message }
}

/** The saying, cut to start shortly before the wanted text. */
function findIn(saying: Said, wanted: string | RegExp): Said | undefined {
  // With `y`, search() would match at the start of the text only.
  const pattern =
    wanted instanceof RegExp && new RegExp(wanted.source, wanted.flags.replaceAll(/[gy]/g, ''))
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
  if (part.type === 'text' || part.type === 'reasoning') return { text: part.text, inside: [] }
  if (part.type === 'tool_call')
    return textsOfJson(part.arguments, (json) => `${part.name}(${json})`)
  if (part.type === 'tool_call_response') return textsOfJson(part.result)
  if (part.type === 'blob')
    return { text: `[${part.mimeType ?? 'file'}, ${part.size} bytes]`, inside: [] }
  return part.type === 'uri' ? { text: part.uri, inside: [] } : textsOfJson(part.value)
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
  const first = new Map<string, Said>()
  for (const saying of said) {
    const key = JSON.stringify([saying.role, saying.text])
    if (saying.text.trim() !== '' && !first.has(key)) first.set(key, saying)
  }
  return [...first.values()]
}

/** The line that shares the most words with the wanted text; the whole text if the wanted one has several lines. */
function closestTo(wanted: string, said: Said[]): Said | undefined {
  const words = sketchWords([wanted]).hashes
  const parts = distinct(said).flatMap((saying) =>
    wanted.includes('\n') ? saying : saying.text.split('\n').map((text) => ({ ...saying, text })),
  )
  let best: Said | undefined
  let bestScore = 0
  for (const part of parts) {
    const { hashes } = sketchWords([part.text])
    const shared = [...words].filter((word) => hashes.has(word)).length
    // Of two that share as many words, the one with fewer words is closer.
    const score = shared === 0 ? 0 : shared + 1 / (1 + hashes.size)
    if (score > bestScore) [best, bestScore] = [part, score]
  }
  return best
}
