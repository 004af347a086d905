import type { JsonObject } from '../../json/json-value.ts'
import { loadLabels } from '../notes/load-labels.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import { LISTS, OWNERS, type MapCredential } from './server-places.ts'

/** Replaces each credential that the provider sends to another server. Returns the same object if there is none. */
export function mapServers(root: JsonObject, map: MapCredential, path?: string): JsonObject {
  const mayHold = Object.keys(root).some((key) => LISTS.has(key) || OWNERS.has(key))
  return mayHold ? loadLabels().mapCredentials(root, map, path) : root
}

/** The placeholder of a credential with a name only. */
export const plainPlaceholder: MapCredential = (name) => placeholderOf(name)
