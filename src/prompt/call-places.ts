import type { JsonObject } from '../json/json-value.ts'

/** A place in a body from which ids of tool calls can be reached. */
export interface CallPlace {
  fields: Map<string, CallPlace>
  /** The place of each element, if a list stands here. */
  items?: CallPlace
  /** Set where an id stands: whether its owner is of a type that names a call. */
  isCall?: (owner: JsonObject) => boolean
  /** Likewise: whether it is the result of a call that can lie at the provider. */
  isFar?: (owner: JsonObject) => boolean
}

/**
 * Where a wire format names calls, as its provider says: the objects that name calls, and those of their fields that
 * hold an id; `*` is any element of a list. A field of the same name anywhere else is data, and counts: in the input of
 * a tool, in its result, in metadata, in a schema.
 */
export interface CallFormat {
  in: string[]
  /** A path and, if other objects may stand there too, the types of those that name a call. */
  ids: Array<[path: string, types?: RegExp]>
  /** The types of results whose call can lie at the provider, which holds the conversation. */
  far?: RegExp
  /** The places of other bodies, and of lines, at which such a request stands. */
  inside?: string[]
}

/** The place of a body without call ids. */
export const NOWHERE: CallPlace = { fields: new Map() }

/** Whether the id of a call stands at a place of its owner. */
export function isCallAt(place: CallPlace | undefined, owner: JsonObject): boolean {
  return place?.isCall?.(owner) ?? false
}

/** Whether the result of a call that can lie at the provider stands at a place of its owner. */
export function isFarAt(place: CallPlace | undefined, owner: JsonObject): boolean {
  return place?.isFar?.(owner) ?? false
}

/** The places of call ids in a body at whose `roots` a request of any format may stand. */
export function callPlacesOf(formats: readonly CallFormat[], roots: readonly string[]): CallPlace {
  const top: CallPlace = { fields: new Map() }
  for (const format of formats)
    for (const root of roots)
      for (const owner of format.in)
        for (const [id, types] of format.ids) {
          const place = [root, owner, id].filter(Boolean).join('.').split('.').reduce(placeIn, top)
          place.isCall = isEither(place.isCall, types)
          if (format.far) place.isFar = isEither(place.isFar, format.far)
        }
  return top
}

/** Whether an owner is of one of the types, or passes the test of the formats before. */
function isEither(
  before: CallPlace['isCall'],
  types: RegExp | undefined,
): (owner: JsonObject) => boolean {
  return (owner) => !types || types.test(String(owner.type)) || (before?.(owner) ?? false)
}

function placeIn(place: CallPlace, key: string): CallPlace {
  if (key === '*') return (place.items ??= { fields: new Map() })
  const known = place.fields.get(key) ?? { fields: new Map() }
  place.fields.set(key, known)
  return known
}
