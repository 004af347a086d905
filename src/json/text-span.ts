/** A piece of a text, and what stands in its place. `end` is the first character after it. */
export interface TextSpan {
  start: number
  end: number
  text: string
}

/** Finds what is to be replaced in one whole text, in any order. */
export type FindSpans = (text: string) => readonly TextSpan[]

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
