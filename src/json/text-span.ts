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
  if (spans.length === 0) return text
  let replaced = ''
  let at = 0
  for (const span of orderSpans(spans)) {
    replaced += text.slice(at, span.start) + span.text
    at = span.end
  }
  return replaced + text.slice(at)
}
