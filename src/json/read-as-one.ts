import { cutSpans, isApart, orderSpans, type TextSpan } from './text-span.ts'

/** A text of a document, in its order. */
export interface PlacedText {
  text: string
  /** The keys that lead to it, without the places in lists. */
  place: string
  /** The spans that are replaced in it already. */
  taken?: readonly TextSpan[]
}

/** Finds the spans to replace in texts that are read one after the other as one; places refer to the joined text. */
export type FindAcross = (texts: readonly string[]) => readonly TextSpan[]

/** Fields with words of a conversation, whatever leads to them: instructions, messages and their parts, answers. */
const SAID = new Set([
  'content',
  'delta',
  'input',
  'input_text',
  'instructions',
  'output',
  'output_text',
  'outputText',
  'parts',
  'prompt',
  'refusal',
  'response',
  'system',
  'text',
  'thinking',
])

/** The borders of a text: of a long one, its first and last `length` characters. */
export function nearBorders(text: string, length: number): string {
  if (text.length <= 2 * length) return text
  return `${text.slice(0, length)}\n${text.slice(-length)}`
}

/** The place below a key. */
export function placeBelow(place: string, key: string): string {
  return `${place}.${key}`
}

/**
 * Finds the spans that lie in several texts: in those of one place, such as the blocks of an answer, the parts of a
 * prompt and the items of a list, and in all words of the conversation. The first text gets the replacement, and the
 * others lose their part.
 *
 * @returns the spans of each text
 */
export function findAcross(texts: readonly PlacedText[], find: FindAcross): TextSpan[][] {
  const found: TextSpan[][] = texts.map(() => [])
  for (const run of readAsOne(texts)) {
    const spans = orderSpans(find(run.map((index) => texts[index]!.text)))
    if (spans.length > 0) share(spans, run, texts, found)
  }
  return found
}

/**
 * The indexes of texts that are read as one.
 *
 * @param least how many texts there are at least
 */
export function readAsOne(texts: readonly PlacedText[], least: number = 2): number[][] {
  const places = new Map<string, number[]>()
  const said: number[] = []
  for (const [index, { text, place }] of texts.entries()) {
    if (text === '') continue
    const known = places.get(place)
    if (known) known.push(index)
    else places.set(place, [index])
    if (isSaid(place)) said.push(index)
  }
  const [first] = said
  const isOnePlace = first === undefined || places.get(texts[first]!.place)!.length === said.length
  const runs = [...places.values(), ...(isOnePlace ? [] : [said])]
  return runs.filter((run) => run.length >= least)
}

/** Whether a place holds words of a conversation. */
function isSaid(place: string): boolean {
  return SAID.has(place.slice(place.lastIndexOf('.') + 1))
}

/** Gives each text its part of the spans that lie in several, unless something is replaced there already. */
function share(
  spans: readonly TextSpan[],
  run: readonly number[],
  texts: readonly PlacedText[],
  found: TextSpan[][],
): void {
  const said = run.map((index) => texts[index]!.text)
  for (const parts of cutSpans(spans, said)) {
    const isFree = parts.every(([at, part]) => {
      const index = run[at]!
      const others = [...(texts[index]!.taken ?? []), ...found[index]!]
      return others.every((other) => isApart(part, other))
    })
    if (parts.length > 1 && isFree) for (const [at, part] of parts) found[run[at]!]!.push(part)
  }
}
