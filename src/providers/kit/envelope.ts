import type { JsonObject } from '../../json/json-value.ts'
import type { Prompt } from '../../prompt/prompt.ts'
import { jsonOf } from '../../wire/body.ts'
import type { WireRequest } from '../../wire/message.ts'
import { objectOf, stringOf, without } from '../fields.ts'
import { formFields } from './form-fields.ts'
import { endpointOf } from '../providers.ts'

/** The fields of a prompt beside its messages and tools. */
export type Envelope = Pick<Prompt, 'provider' | 'operation' | 'model' | 'parameters'>

/** Reads provider, model and parameters; the fields that were `read` elsewhere are no parameters. */
export function readEnvelope(
  request: WireRequest,
  operation: string,
  read: readonly string[],
): Envelope {
  const { model, ...fields } = bodyOf(request)
  const name = stringOf(model)
  const kept = name === undefined && model !== undefined ? { model, ...fields } : fields
  const url = URL.parse(request.url)
  return {
    provider: url ? endpointOf(url) : request.url,
    operation,
    ...(name === undefined ? {} : { model: name }),
    parameters: without(kept, read),
  }
}

/** The JSON object of a request, or the fields of its form, or an empty one. */
export function bodyOf(request: WireRequest): JsonObject {
  const { body } = request
  if (body.kind === 'form') return formFields(body.parts)
  return objectOf(jsonOf(body))
}

/** Whether a request is sent to a path with this ending; a final slash does not count. */
export function isSentTo(request: WireRequest, ending: string): boolean {
  if (request.method !== 'POST') return false
  return pathOf(request).replace(/\/$/, '').endsWith(ending)
}

/** The path of the address that a request is sent to. */
export function pathOf(request: WireRequest): string {
  return URL.parse(request.url)?.pathname ?? ''
}
