import { isRawNumber, type JsonValue } from '../../json/json-value.ts'
import { walk } from '../../json/walk.ts'
import { dialectOf, responsePlaces, roleAt } from '../../providers/dialects.ts'
import type { Body } from '../../wire/body.ts'
import { isAnswerList } from '../../wire/channels.ts'
import type { RecordedExchange } from '../cassette.ts'

/** A shorter one could be a word, or a number that means something. */
const MIN_LENGTH = 6

/** A place with more values is padding, which is another one in each event. */
const MAX_VALUES = 4

/** The ids and times that a provider makes anew for each response, in the order in which they stand in it. */
export function renewedIn({ request, response }: RecordedExchange['wire']): JsonValue[] {
  const places = responsePlaces(dialectOf(request).name)
  const found = new Map<string, { value: JsonValue; places: Set<string> }>()
  const valuesAt = new Map<string, number>()
  for (const value of valuesIn(response.body))
    walk(value, (inside, at) => {
      const role = roleAt(places, at)
      if (role !== 'renewed' && role !== 'ignored') return false
      const isFigure = typeof inside === 'number' || isRawNumber(inside)
      const spelled = JSON.stringify(inside)
      if ((typeof inside !== 'string' && !isFigure) || spelled.length < MIN_LENGTH) return true
      const place = at.join('.')
      const known = found.get(spelled) ?? { value: inside, places: new Set() }
      found.set(spelled, known)
      if (!known.places.has(place)) valuesAt.set(place, (valuesAt.get(place) ?? 0) + 1)
      known.places.add(place)
      return true
    })
  return [...found.values()].flatMap(({ value, places }) =>
    [...places].some((place) => valuesAt.get(place)! <= MAX_VALUES) ? [value] : [],
  )
}

/** A shorter text reads better where it stands. */
const MIN_REPEATED = 32

/**
 * The long texts that stand in several places of a response, such as the arguments of a call: as they stream, and whole
 * at its end. What its request says is none, nor what each event says at one place, such as its type.
 *
 * @param shown the texts that the exchange shows to people
 */
export function repeatedIn(
  { request, response }: RecordedExchange['wire'],
  shown: readonly string[],
): string[] {
  const asked = request.body.kind === 'json' ? Object.values(request.body.value as object) : []
  const placesOf = new Map<string, Set<string>>()
  for (const value of valuesIn(response.body))
    walk(value, (inside, at) => {
      if (typeof inside !== 'string' || inside.length < MIN_REPEATED) return false
      placesOf.set(inside, (placesOf.get(inside) ?? new Set()).add(at.join('.')))
      return true
    })
  return [...placesOf].flatMap(([text, places]) =>
    places.size > 1 && !shown.includes(text) && !asked.includes(text) ? [text] : [],
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
