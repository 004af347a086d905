/** A piece of a text, and its replacement. `end` is the position after its last character. */
export interface TextSpan {
  start: number
  end: number
  text: string
}

/** Finds the spans to replace in one whole text, or in the spelling of a JSON number; in any order. */
export type FindSpans = (text: string, isNumber?: boolean) => readonly TextSpan[]

/** Marks a replacement that turns the whole JSON text into the number after the mark. */
const NUMBER_MARK = '\u0000number:'

/** The replacement that turns a whole JSON text into a number. */
export function markNumber(spelled: string): string {
  return NUMBER_MARK + spelled
}

/** The spelling of the number in a marked replacement; `undefined` for any other text. */
export function markedNumber(text: string): string | undefined {
  return text.startsWith(NUMBER_MARK) ? text.slice(NUMBER_MARK.length) : undefined
}

/** The matches of an expression with their replacements; none for a match that stays as it is. */
export function spansOf(
  text: string,
  pattern: RegExp,
  replace: (...match: string[]) => string | undefined,
): TextSpan[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const replacement = replace(...match)
    const { index: start } = match
    return replacement === undefined
      ? []
      : [{ start, end: start + match[0].length, text: replacement }]
  })
}

/** Sorts spans and drops empty and overlapping ones: the span that begins first wins, and of those the longest. */
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

/** The places of a piece in a text, one after the other; none for an empty piece. */
export function placesOf(piece: string, text: string): Array<Omit<TextSpan, 'text'>> {
  const places: Array<Omit<TextSpan, 'text'>> = []
  let start = piece === '' ? -1 : text.indexOf(piece)
  while (start >= 0) {
    const end = start + piece.length
    places.push({ start, end })
    start = text.indexOf(piece, end)
  }
  return places
}

/** True for spans that have no character in common. */
export function isApart(one: TextSpan, other: TextSpan): boolean {
  return one.end <= other.start || other.end <= one.start
}

/** The text with its spans replaced. */
export function replaceSpans(text: string, spans: readonly TextSpan[]): string {
  return spans.length === 0 ? text : replaceOrdered(text, orderSpans(spans))
}

function replaceOrdered(text: string, spans: readonly TextSpan[]): string {
  let replaced = ''
  let at = 0
  for (const span of spans) {
    replaced += text.slice(at, span.start) + span.text
    at = span.end
  }
  return replaced + text.slice(at)
}

/**
 * Cuts spans of texts that are read as one, one after the other, at the borders of the texts. The first part of a span
 * has its replacement, and the others have none. A text that is added between two texts continues the first of them.
 *
 * @param spans in order, and without overlap
 * @returns the parts of each span, each with the index of its text
 */
export function cutSpans(
  spans: readonly TextSpan[],
  texts: readonly string[],
): Array<Array<readonly [index: number, part: TextSpan]>> {
  let [first, start] = [0, 0]
  return spans.map((span) => {
    while (first < texts.length - 1 && !isIn(span, texts[first]!, start))
      start += texts[first++]!.length
    const parts: Array<readonly [number, TextSpan]> = []
    for (let [at, from] = [first, start]; at < texts.length; from += texts[at++]!.length) {
      if (parts.length > 0 && from >= span.end) break
      const [begin, end] = [
        Math.max(0, span.start - from),
        Math.min(texts[at]!.length, span.end - from),
      ]
      if (parts.length === 0) parts.push([at, { start: begin, end, text: span.text }])
      else if (begin < end) parts.push([at, { start: begin, end, text: '' }])
    }
    return parts
  })
}

/** Whether a span begins in a text that begins at a place. */
function isIn({ start, end }: TextSpan, text: string, from: number): boolean {
  const until = from + text.length
  return start < end ? start < until : text !== '' && start <= until
}

/** Replaces spans of texts that are read as one, as {@link cutSpans} cuts them. */
export function spreadSpans(texts: string[], spans: readonly TextSpan[]): string[] {
  if (spans.length === 0) return texts
  const parts = Map.groupBy(cutSpans(spans, texts).flat(), ([index]) => index)
  return texts.map((text, index) =>
    replaceOrdered(text, parts.get(index)?.map(([, part]) => part) ?? []),
  )
}
