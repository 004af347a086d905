import { isRawNumber, type JsonValue } from '../../json/json-value.ts'
import { mapPlaces } from '../../json/map-places.ts'
import { dialectOf, renewedBy, renewedAt } from '../../providers/dialects.ts'
import type { Body } from '../../wire/body.ts'
import { isAnswerList } from '../../wire/map-texts.ts'
import type { RecordedExchange } from '../cassette.ts'

/** A shorter one could be a word, or a number that means something. */
const MIN_LENGTH = 6

/** The ids and times that a provider makes anew for each response, in the order in which they stand in it. */
export function renewedIn({ request, response }: RecordedExchange['wire']): JsonValue[] {
  const places = renewedBy(dialectOf(request).name)
  const pieces = valuesIn(response.body)
  const ids = new Set<string>()
  const figures = new Map<string, Set<string>>()
  const found = new Map<string, JsonValue>()
  for (const value of pieces)
    mapPlaces(value, (inside, at) => {
      const kind = renewedAt(places, at)
      if (kind !== 'id' && kind !== 'figure') return undefined
      const isFigure = typeof inside === 'number' || isRawNumber(inside)
      const spelled = JSON.stringify(inside)
      if ((typeof inside !== 'string' && !isFigure) || spelled.length < MIN_LENGTH) return inside
      found.set(spelled, inside)
      if (kind === 'id') ids.add(spelled)
      else figures.set(at.join('/'), (figures.get(at.join('/')) ?? new Set()).add(spelled))
      return inside
    })
  // Padding differs from piece to piece: as references, no two pieces would be alike.
  for (const padding of figures.values())
    if (pieces.length > 1 && padding.size > 1)
      for (const spelled of padding) if (!ids.has(spelled)) found.delete(spelled)
  return [...found.values()]
}

/** The JSON of a response: as a whole, or in its events, lines or frames. */
function valuesIn(body: Body): JsonValue[] {
  switch (body.kind) {
    case 'json':
      return isAnswerList(body.value) ? body.value : [body.value]
    case 'events':
      return body.events.flatMap((event) => (typeof event === 'string' ? [] : [event.data]))
    case 'lines':
      return body.lines
    case 'frames':
      return body.frames.flatMap((frame) =>
        'bytes' in frame
          ? []
          : [frame.data, ...('chunk' in frame && frame.chunk !== undefined ? [frame.chunk] : [])],
      )
    default:
      return []
  }
}
