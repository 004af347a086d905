import { isJsonObject, type JsonObject } from '../../json/json-value.ts'
import type { Body } from '../../wire/body.ts'
import { loadLabels } from '../notes/load-labels.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import { LISTS, OWNERS, type MapCredential } from './server-places.ts'

/** Replaces each credential that the provider sends to another server. Returns the same object if there is none. */
export function mapServers(root: JsonObject, map: MapCredential, path?: string): JsonObject {
  const mayHold = Object.keys(root).some((key) => LISTS.has(key) || OWNERS.has(key))
  return mayHold ? loadLabels().mapCredentials(root, map, path) : root
}

/** The same in the JSON of a body, or in each of its lines. */
export function mapServersIn(body: Body, map: MapCredential): Body {
  if (body.kind === 'lines') {
    const lines = body.lines.map((line, at) =>
      isJsonObject(line) ? mapServers(line, map, `[${at}]`) : line,
    )
    return lines.every((line, at) => line === body.lines[at]) ? body : { ...body, lines }
  }
  if (body.kind !== 'json' || !isJsonObject(body.value)) return body
  const value = mapServers(body.value, map)
  return value === body.value ? body : { ...body, value }
}

/** The placeholder of a credential with a name only. */
export const plainPlaceholder: MapCredential = (name) => placeholderOf(name)
