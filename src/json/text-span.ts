/** A piece of a text, and what stands in its place. `end` is the first character after it. */
export interface TextSpan {
  start: number
  end: number
  text: string
}

/** Finds what is to be replaced in one whole text, or in the spelling of a JSON number; in any order. */
export type FindSpans = (text: string, isNumber?: boolean) => readonly TextSpan[]

/** Before a number: the whole JSON text in whose place it is put becomes a number. */
const NUMBER_MARK = '\u0000number:'

/** What stands in the place of a whole JSON text to make a number of it. */
export function markNumber(spelled: string): string {
  return NUMBER_MARK + spelled
}

/** The spelling of the number that a replaced text has become; `undefined` where it is a text. */
export function markedNumber(text: string): string | undefined {
  return text.startsWith(NUMBER_MARK) ? text.slice(NUMBER_MARK.length) : undefined
}

/**
 * Spans in the order of the text, none empty and none over another: the one that begins first wins,
 * and of those the longest.
 */
export function orderSpans(spans: readonly TextSpan[]): TextSpan[] {
  if (spans.length === 0) return []
  const ordered: TextSpan[] = []
  let end = 0
  for (const span of spans.toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    if (span.start < end || span.end <= span.start) continue
    ordered.push(span)
    end = span.end
  }
  return ordered
}

/** True for spans that have no character in common. */
export function isApart(one: TextSpan, other: TextSpan): boolean {
  return one.end <= other.start || other.end <= one.start
}

/** The text with its spans replaced. */
export function replaceSpans(text: string, spans: readonly TextSpan[]): string {
  let replaced = ''
  let at = 0
  for (const span of orderSpans(spans)) {
    replaced += text.slice(at, span.start) + span.text
    at = span.end
  }
  return replaced + text.slice(at)
}
