import { isRawNumber, type JsonValue, textsOfJson } from '../../json/json-value.ts'
import { mapPlaces } from '../../json/map-places.ts'
import { dialectOf, renewedBy, renewedAt } from '../../providers/dialects.ts'
import type { Body } from '../../wire/body.ts'
import { isAnswerList } from '../../wire/map-texts.ts'
import type { RecordedExchange } from '../cassette.ts'

/** A shorter one could be a word, or a number that means something. */
const MIN_LENGTH = 6

/** A place with more values is padding, which is another one in each event. */
const MAX_VALUES = 4

/** The ids and times that a provider makes anew for each response, in the order in which they stand in it. */
export function renewedIn({ request, response }: RecordedExchange['wire']): JsonValue[] {
  const places = renewedBy(dialectOf(request).name)
  const found = new Map<string, { value: JsonValue; places: Set<string> }>()
  const valuesAt = new Map<string, number>()
  for (const value of valuesIn(response.body))
    mapPlaces(value, (inside, at) => {
      const kind = renewedAt(places, at)
      if (kind !== 'id' && kind !== 'figure') return undefined
      const isFigure = typeof inside === 'number' || isRawNumber(inside)
      const spelled = JSON.stringify(inside)
      if ((typeof inside !== 'string' && !isFigure) || spelled.length < MIN_LENGTH) return inside
      const place = at.join('.')
      const known = found.get(spelled) ?? { value: inside, places: new Set() }
      found.set(spelled, known)
      if (!known.places.has(place)) valuesAt.set(place, (valuesAt.get(place) ?? 0) + 1)
      known.places.add(place)
      return inside
    })
  return [...found.values()].flatMap(({ value, places }) =>
    [...places].some((place) => valuesAt.get(place)! <= MAX_VALUES) ? [value] : [],
  )
}

/** A shorter text reads better where it stands. */
const MIN_REPEATED = 32

/**
 * The long texts that stand in a response more than once, such as the arguments of a call: as they stream, and whole at
 * its end. What its request says is none.
 */
export function repeatedIn(
  { request, response }: RecordedExchange['wire'],
  shown: string,
): string[] {
  const asked = request.body.kind === 'json' ? Object.values(request.body.value as object) : []
  const counts = new Map<string, number>()
  for (const text of valuesIn(response.body).flatMap((value) => [...textsOfJson(value)]))
    if (text.length >= MIN_REPEATED) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].flatMap(([text, count]) =>
    count > 1 && text !== shown && !asked.includes(text) ? [text] : [],
  )
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
