import { type OptionalJson, compareJson } from '../../json/compare-json.ts'
import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { everyValue, equal } from '../../json/walk.ts'
import { escapePattern } from '../../text/escape-pattern.ts'

/** A text that was cut before it was imported. */
export interface KnownPiece {
  text: string
  /** The beginning that is known and compared; absent where nothing of it is compared. */
  kept?: string
}

/** Something said of which texts may have been cut. */
type Said = { cut?: readonly KnownPiece[] } & (
  | { who: 'call'; parameters: JsonValue; result?: JsonValue }
  | { who: 'system' | 'user' | 'assistant'; text: string }
)

/**
 * What was said, each with the texts in it that were cut.
 *
 * @param cuts as the import of a trace has noted them
 */
export function withCutTexts<One extends Said>(said: One[], cuts: readonly JsonValue[]): One[] {
  const known = cuts.filter(
    (cut) => isJsonObject(cut) && typeof cut.text === 'string' && cut.text !== '',
  ) as unknown as KnownPiece[]
  return said.map((one) => {
    const values = one.who === 'call' ? [one.parameters, one.result ?? null] : [one.text]
    const cut = known.filter((text) => isCutIn(text, values))
    return cut.length > 0 ? { ...one, cut } : one
  })
}

function isCutIn({ text }: KnownPiece, values: readonly JsonValue[]): boolean {
  return values.some((value) =>
    [...everyValue(value)].some((one) => typeof one === 'string' && one.includes(text)),
  )
}

/** Compares two values but for what is not known of texts that were cut. */
export function sameButCut(
  cut: readonly KnownPiece[],
): (told: JsonValue, other: JsonValue) => boolean {
  return (told, other) => isSameButCut(told, other, cut)
}

/** Whether two values are the same, but for what is not known of texts that were cut. */
function isSameButCut(told: JsonValue, other: JsonValue, cut: readonly KnownPiece[]): boolean {
  const differences = compareJson(told, other, undefined, {
    below: () => undefined,
    items: (one, another) =>
      one.length === another.length
        ? one.map((item, at) => ({ one: item, other: another[at], place: undefined }))
        : undefined,
    differ: (one, another) => (isCutOf(one, another) ? [] : [one]),
  })
  return differences.length === 0

  function isCutOf(one: OptionalJson, another: OptionalJson): boolean {
    if (one === undefined || another === undefined) return false
    if (typeof one === 'string' && cut.some(({ text }) => one.includes(text)))
      return patternOf(one, cut).test(
        typeof another === 'string' ? another : JSON.stringify(another),
      )
    return equal(one, another)
  }
}

/** What a text can be of which pieces were cut. */
function patternOf(text: string, cut: readonly KnownPiece[]): RegExp {
  const pieces = cut.reduce<Array<string | KnownPiece>>(
    (known, one) =>
      known.flatMap((piece) =>
        typeof piece === 'string'
          ? piece.split(one.text).flatMap((rest, at) => (at === 0 ? [rest] : [one, rest]))
          : [piece],
      ),
    [text],
  )
  const spelled = pieces.map((piece) =>
    typeof piece === 'string' ? escapePattern(piece) : `${escapePattern(piece.kept ?? '')}[^]*`,
  )
  return new RegExp(`^${spelled.join('')}\\s*$`)
}
