import { isRawNumber, type JsonValue } from '../json/json-value.ts'
import { mapInside } from '../json/map-inside.ts'
import { sameJson } from '../json/same-json.ts'
import type { Body } from '../wire/body.ts'
import { mapPieces, piecesOf } from './answer-pieces.ts'
import { kindOf } from './fold-answer.ts'
import { RENEWED } from './renewed-places.ts'
import type { Renewed } from './renewed.ts'

type At = readonly string[]

/**
 * A body with the values of another one at the places of a kind, wherever each of the two has a single value at the
 * place. A value that differs from event to event belongs to its event.
 */
export function takePlaces(body: Body, source: Body, dialect: string, kind: Renewed): Body {
  const places = RENEWED[dialect]
  if (!places?.[kind]?.length) return body
  const isOfKind = (at: At): boolean => at.length > 0 && kindOf(places, at) === kind
  const [own, others] = [body, source].map((one) => valuesAt(one, isOfKind))
  const change = (value: JsonValue, at: At): JsonValue => {
    if (isOfKind(at)) {
      const key = at.join()
      const [mine, theirs] = [own!.get(key), others!.get(key)]
      return mine?.length === 1 && theirs?.length === 1 ? theirs[0]! : value
    }
    return mapInside(value, (child, key) => change(child, [...at, key]))
  }
  const taken = mapPieces(body, (value) => change(value, []))
  return kind === 'figure' ? takePieces(taken, source, isOfKind) : taken
}

/** A body with the pieces of another one, wherever the two differ in nothing but places that do not count. */
function takePieces(body: Body, source: Body, isFree: (at: At) => boolean): Body {
  const keyOf = (value: JsonValue, name = ''): string => `${name} ${JSON.stringify(value)}`
  const bare = (value: JsonValue, at: At = []): JsonValue =>
    isFree(at) ? null : mapInside(value, (child, key) => bare(child, [...at, key]))
  const known = Map.groupBy(piecesOf(source), ({ value, name }) => keyOf(bare(value), name))
  return mapPieces(
    body,
    (value, name) => known.get(keyOf(bare(value), name))?.shift()?.value ?? value,
  )
}

/** The different values at the places of a body. */
function valuesAt(body: Body, isOfKind: (at: At) => boolean): Map<string, JsonValue[]> {
  const found = new Map<string, JsonValue[]>()
  const look = (value: JsonValue, at: At): void => {
    if (isOfKind(at)) {
      const known = found.get(at.join()) ?? []
      if (!known.some((one) => sameJson(one, value))) found.set(at.join(), [...known, value])
    } else if (typeof value === 'object' && value !== null && !isRawNumber(value)) {
      for (const [key, child] of Object.entries(value)) look(child, [...at, key])
    }
  }
  for (const { value } of piecesOf(body)) look(value, [])
  return found
}
