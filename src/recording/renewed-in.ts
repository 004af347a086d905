import { isRawNumber, type JsonValue } from '../json/json-value.ts'
import { dialectOf, renewedBy } from '../providers/dialects.ts'
import type { RecordedExchange } from '../cassette/cassette.ts'
import { mapPlaces } from './map-places.ts'
import { kindOf, piecesOf } from './fold-answer.ts'

/** A shorter one could be a word, or a number that means something. */
const MIN_LENGTH = 6

/** The ids and times that a provider makes anew for each response, in the order in which they stand in it. */
export function renewedIn({ request, response }: RecordedExchange['wire']): JsonValue[] {
  const places = renewedBy(dialectOf(request).name)
  const found = new Map<string, JsonValue>()
  for (const { value } of piecesOf(response.body))
    mapPlaces(value, (inside, at) => {
      const kind = kindOf(places, at)
      if (kind !== 'id' && kind !== 'figure') return undefined
      const isFigure = typeof inside === 'number' || isRawNumber(inside)
      const spelled = JSON.stringify(inside)
      if ((typeof inside === 'string' || isFigure) && spelled.length >= MIN_LENGTH)
        found.set(spelled, inside)
      return inside
    })
  return [...found.values()]
}
