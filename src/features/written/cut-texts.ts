import { everyValue, isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { sameJson } from '../../json/key-order.ts'

/** A text that was cut before it was imported. */
export interface KnownPiece {
  text: string
  /** The beginning that is known and compared; absent where nothing of it is compared. */
  kept?: string
}

/** The texts of an exchange that were cut, as the import of its trace has noted them. */
export function knownPieces({ traced }: JsonObject): KnownPiece[] {
  const cuts = isJsonObject(traced) && Array.isArray(traced.cut) ? traced.cut : []
  const known = cuts.filter((cut) => isJsonObject(cut) && typeof cut.text === 'string' && cut.text)
  return known as unknown as KnownPiece[]
}

/** Whether a text that was cut stands in one of these values. */
export function isCutIn({ text }: KnownPiece, values: readonly JsonValue[]): boolean {
  return values.some((value) =>
    [...everyValue(value)].some((one) => typeof one === 'string' && one.includes(text)),
  )
}

/** Whether two values are the same, but for what is not known of texts that were cut. */
export function isSameButCut(
  told: JsonValue,
  other: JsonValue,
  cut: readonly KnownPiece[],
): boolean {
  if (typeof told === 'string' && cut.some(({ text }) => told.includes(text)))
    return patternOf(told, cut).test(typeof other === 'string' ? other : JSON.stringify(other))
  if (Array.isArray(told) && Array.isArray(other))
    return (
      told.length === other.length && told.every((one, at) => isSameButCut(one, other[at]!, cut))
    )
  if (!isJsonObject(told) || !isJsonObject(other)) return sameJson(told, other)
  const names = Object.keys(told)
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSameButCut(told[name]!, other[name]!, cut),
    )
  )
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
    typeof piece === 'string' ? escaped(piece) : `${escaped(piece.kept ?? '')}[^]*`,
  )
  return new RegExp(`^${spelled.join('')}\\s*$`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
