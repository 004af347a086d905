import { commonEnd, commonStart } from '../diff/compare/common-ends.ts'
import { isJsonObject, isRawNumber, type JsonValue } from '../json/json-value.ts'
import { mapInside } from '../json/map-inside.ts'
import type { TextSpan } from '../json/text-span.ts'
import type { Body } from '../wire/body.ts'
import { mapTexts } from '../wire/map-texts.ts'
import { spread } from '../wire/replace-texts.ts'
import { isInPieces, type Channel } from '../wire/text-channel.ts'
import { isStream, mapPieces, piecesOf } from './answer-pieces.ts'

/**
 * Puts the texts of a new stream into the events of an old one, so that a different cut by the provider is no change.
 * The result may say something else: the caller has to compare it with the new stream.
 *
 * @param isRenewed tells which places do not count; they keep their old values
 * @returns `undefined` where the two have little in common
 */
export function recut(old: Body, fresh: Body, isRenewed: IsRenewed): Body | undefined {
  if (!isStream(old) || old.kind !== fresh.kind) return undefined
  const [before, after] = [old, fresh].map(textsOf) as [Texts, Texts]
  const same = [...before.keys()].every((channel) => after.has(channel))
  if (!same || before.size !== after.size) return undefined
  const changed = new Map<string, string>()
  const cut = new Map<Channel, string[]>()
  for (const [channel, pieces] of before) {
    const [was, is] = [pieces.join(''), after.get(channel)!.join('')]
    if (was === is) cut.set(channel, pieces)
    else {
      const span = changeOf(was, is)
      // One event would get all of the new text.
      const isNew = span.end - span.start > was.length / 2 || span.text.length > is.length / 2
      const anew = isNew ? cutAlike(pieces, was, is) : spread(pieces, [span])
      if (!anew) return undefined
      changed.set(was, is)
      cut.set(channel, anew)
    }
  }
  const body = mapTexts(old, (text, _place, channel) =>
    isPiece(channel) ? cut.get(channel)!.shift()! : (changed.get(text) ?? text),
  )
  return takeSingle(body, fresh, isRenewed)
}

/** A text that is so much longer or shorter than the one before comes in pieces of its own. */
const MOST_LONGER = 3

type At = readonly string[]
/** Whether the value at a place does not count. */
type IsRenewed = (at: At) => boolean
type Texts = Map<Channel, string[]>

function isPiece(channel: Channel | undefined): channel is Channel {
  return channel !== undefined && isInPieces(channel)
}

/** The texts that come in pieces. */
function textsOf(body: Body): Texts {
  const texts: Texts = new Map()
  mapTexts(body, (text, _place, channel) => {
    if (isPiece(channel)) texts.set(channel, [...(texts.get(channel) ?? []), text])
    return text
  })
  return texts
}

/** The change between the common start and the common end of two texts. */
function changeOf(was: string, is: string): TextSpan {
  const start = commonStart(was, is)
  const behind = commonEnd(was, is, start)
  return { start, end: was.length - behind, text: is.slice(start, is.length - behind) }
}

/** A new text in as many pieces as an old one of about its length; an event more would renumber those behind it. */
function cutAlike(pieces: readonly string[], was: string, is: string): string[] | undefined {
  const signs = [...is]
  const scale = signs.length / was.length
  let left = pieces.filter((piece) => piece !== '').length
  if (scale > MOST_LONGER || scale < 1 / MOST_LONGER || signs.length < left) return undefined
  let read = 0
  let start = 0
  return pieces.map((piece) => {
    if (piece === '') return ''
    read += piece.length
    left--
    const end = Math.min(Math.max(Math.round(read * scale), start + 1), signs.length - left)
    const cut = signs.slice(start, end).join('')
    start = end
    return cut
  })
}

/** A stream with the values of another one, at places where both have one value in all their events of a kind. */
function takeSingle(body: Body, source: Body, isRenewed: IsRenewed): Body {
  const [own, others] = [body, source].map((one) => valuesOf(one, isRenewed)) as [Values, Values]
  return mapPieces(body, (value, name) =>
    mapLeaves(value, [], isRenewed, (leaf, at) => {
      const [mine, theirs] = [own, others].map((values) => values.get(keyOf(name, value, at)))
      return mine?.size === 1 && theirs?.size === 1 ? [...theirs.values()][0]! : leaf
    }),
  )
}

type Values = Map<string, Map<string, JsonValue>>

function valuesOf(body: Body, isRenewed: IsRenewed): Values {
  const values: Values = new Map()
  for (const { name, value } of piecesOf(body))
    mapLeaves(value, [], isRenewed, (leaf, at) => {
      const key = keyOf(name, value, at)
      const known = values.get(key) ?? new Map<string, JsonValue>()
      values.set(key, known.set(JSON.stringify(leaf), leaf))
      return leaf
    })
  return values
}

/** A place in events of a kind. */
function keyOf(name = '', event: JsonValue, at: At): string {
  const type = isJsonObject(event) && typeof event.type === 'string' ? event.type : ''
  return [name, type, ...at].join(' ')
}

function mapLeaves(
  value: JsonValue,
  at: At,
  isRenewed: IsRenewed,
  change: (leaf: JsonValue, at: At) => JsonValue,
): JsonValue {
  if (at.length > 0 && isRenewed(at)) return value
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return change(value, at)
  return mapInside(value, (child, key) => mapLeaves(child, [...at, key], isRenewed, change))
}
