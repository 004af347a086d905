import { isJsonText } from '../json/find-in-json.ts'
import { isRawNumber, parseJson, type JsonValue } from '../json/json-value.ts'
import { isSaid, nearBorders } from '../json/read-as-one.ts'

/** The length of each border. The text by which a value is recognised is shorter. */
const NEAR = 64

/** The joined borders of the texts of one place, and the places below it. */
interface Place {
  near: string
  below: Map<string, Place>
}

/**
 * A cheap check of the borders of texts that are read as one: false if no value begins in one text and ends in
 * another. It may miss a value whose trace stands in a single text, which a check of that text finds. Every request
 * is checked, so no text is read in full.
 */
export function holdsAcross(value: JsonValue, mayHold: (text: string) => boolean): boolean {
  const places: Place[] = []
  let said = ''

  function placeBelow(below: Map<string, Place>, key: string): Place {
    let place = below.get(key)
    if (!place) {
      place = { near: '', below: new Map() }
      below.set(key, place)
      places.push(place)
    }
    return place
  }

  function walk(child: JsonValue, place: Place, isSpoken: boolean): boolean {
    if (typeof child === 'string') {
      const near = nearBorders(child, NEAR)
      place.near += near
      if (isSpoken) said += near
      return isJsonText(child) && holdsAcross(parseJson(child), mayHold)
    }
    if (typeof child !== 'object' || child === null || isRawNumber(child)) return false
    if (Array.isArray(child)) return child.some((item) => walk(item, place, isSpoken))
    for (const key in child)
      if (walk(child[key]!, placeBelow(place.below, key), isSaid(key))) return true
    return false
  }

  const root = placeBelow(new Map(), '')
  return walk(value, root, false) || mayHold(said) || places.some(({ near }) => mayHold(near))
}
