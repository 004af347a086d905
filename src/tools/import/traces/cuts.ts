import type { JsonValue } from '../../../json/json-value.ts'
import { textsOfJson } from '../../../json/walk.ts'
import type { CutText, ModelCall } from './model-call.ts'

/** Marks that only tracers write at the end of a text. */
const MARK =
  /\s*(?:\[(?:…|\.\.\.)?\s*truncated[^\]]*\]|<truncated[^>]*>|(?:…|\.\.\.)\s*\[?\(?\d+ (?:more )?(?:chars?|characters|bytes|tokens)[^\])]*[\])]?|(?:…|\.\.\.)\[truncated\]|\.\.\. \(truncated\))\s*$/i

/** Dots, which a model may write too: they count where the text is as long as a limit would leave it. */
const DOTS = /(?:…|\.\.\.)$/

/** Words in the place of a text. */
const REDACTED = /^(?:\[?(?:__)?redacted(?:__)?\]?|<redacted(?::[^>]*)?>|\[filtered\]|\*{3,})$/i

/** Shorter texts are equally long by chance. */
const MIN_LIMIT = 64

/** The texts of a call of which the trace holds only a piece. */
export function cutTextsOf(
  { prompt, answer }: Pick<ModelCall, 'prompt' | 'answer'>,
  limit: number | undefined,
  cutJson: readonly string[],
): CutText[] {
  const texts = new Set([
    ...textsOfJson(prompt as unknown as JsonValue),
    ...textsOfJson(answer as unknown as JsonValue),
  ])
  const cut = [...texts].flatMap((text): CutText[] => {
    if (REDACTED.test(text)) return [{ text, kept: '', why: 'redacted' }]
    if (MARK.test(text)) return [{ text, kept: text.replace(MARK, ''), why: 'mark' }]
    if (DOTS.test(text) && isLimit(text.replace(DOTS, '').length, text.length))
      return [{ text, kept: text.replace(DOTS, ''), why: 'mark' }]
    return text.length === limit ? [{ text, kept: text, why: 'limit' }] : []
  })
  const known = new Set(cut.map(({ text }) => text))
  const shortened = cutJson.filter((text) => text !== '' && !known.has(text))
  return [...cut, ...shortened.map((text): CutText => ({ text, kept: text, why: 'limit' }))]
}

function isLimit(...lengths: number[]): boolean {
  return lengths.some(
    (one) => one >= MIN_LIMIT && (one % 100 === 0 || Number.isInteger(Math.log2(one))),
  )
}

/** The length at which the attributes of a trace were cut: two of them are as long as the longest. */
export function limitOf(attributes: Iterable<JsonValue>): number | undefined {
  let longest = 0
  let texts = new Set<string>()
  for (const value of attributes) {
    if (typeof value !== 'string' || value.length < longest) continue
    if (value.length > longest) texts = new Set()
    longest = value.length
    texts.add(value)
  }
  return texts.size > 1 && longest >= MIN_LIMIT ? longest : undefined
}
