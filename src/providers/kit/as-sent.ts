import type { JsonObject } from '../../json/json-value.ts'
import type { Dialect } from '../dialect.ts'
import { bodyOf, pathOf } from './envelope.ts'
import { generic } from './generic.ts'

/**
 * A format that is known only by its address, so that its requests are LLM calls at any gateway: speech, pictures and
 * videos, documents, agents, and texts of few clients. They are kept and shown as they were sent.
 *
 * @param asks whether a body on this path asks for what the format is for; any host may have such a path
 */
export function asSent<Name extends string>(
  paths: Readonly<Record<Name, RegExp>>,
  name: Name,
  asks: (body: JsonObject, path: string) => boolean,
): Dialect {
  return {
    ...generic,
    name,
    claims(request) {
      const path = pathOf(request)
      return request.method === 'POST' && paths[name].test(path) && asks(bodyOf(request), path)
    },
  }
}
