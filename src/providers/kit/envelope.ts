import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Message, Part, Prompt } from '../../prompt/prompt.ts'
import { jsonOf } from '../../wire/body.ts'
import type { FormPart } from '../../wire/form-data.ts'
import { remember } from '../../remember.ts'
import type { WireRequest } from '../../wire/message.ts'
import { objectOf, stringOf, without } from '../fields.ts'
import { endpointOf } from '../providers.ts'
import { blobOf } from './blob.ts'

/** The fields of a prompt beside its messages and tools. */
export type Envelope = Pick<Prompt, 'provider' | 'operation' | 'model' | 'parameters'>

/** Reads provider, model and parameters; the fields that were `read` elsewhere are no parameters. */
export function readEnvelope(
  request: WireRequest,
  operation: string,
  read: readonly string[] = [],
): Envelope {
  const { model, ...fields } = bodyOf(request)
  const name = stringOf(model)
  const kept = name === undefined && model !== undefined ? { model, ...fields } : fields
  return {
    provider: addressOf(request.url).endpoint,
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
  return addressOf(request.url).path
}

/** An address is asked for by each dialect, and most requests of a test have the same. */
const addressOf = remember((text): { endpoint: string; path: string } => {
  const url = URL.parse(text)
  return url ? { endpoint: endpointOf(url), path: url.pathname } : { endpoint: text, path: '' }
})

/** The fields of a form that are no files; a field that is sent several times becomes an array. */
function formFields(parts: readonly FormPart[]): JsonObject {
  const fields = Map.groupBy(
    parts.filter((part) => !isFile(part)),
    ({ name }) => stringOf(name) ?? '',
  )
  return Object.fromEntries(
    [...fields].map(([name, sent]) => {
      const values = sent.map(valueOf)
      return [name, values.length === 1 ? values[0]! : values]
    }),
  )
}

function valueOf({ text, json, headers }: FormPart): JsonValue {
  const value = text ?? json ?? null
  return headers === undefined ? value : { headers, value }
}

/** One message for each file of a form. */
export function formFiles(parts: readonly FormPart[]): Message[] {
  return parts.filter(isFile).map((part) => {
    const { base64, text, json, type, ...extra } = part
    const mimeType = stringOf(type)
    const kept: JsonObject = typeof base64 === 'string' || type === undefined ? {} : { type }
    return { role: 'user', parts: [contentOf()], extra: { ...extra, ...kept } }

    function contentOf(): Part {
      if (typeof base64 === 'string') return blobOf(base64, mimeType)
      return typeof text === 'string'
        ? { type: 'text', text }
        : { type: 'other', value: json ?? null }
    }
  })
}

function isFile({ filename, base64 }: FormPart): boolean {
  return filename !== undefined || base64 !== undefined
}
