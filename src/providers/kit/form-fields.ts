import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import type { Message, Part } from '../../prompt/prompt.ts'
import type { FormPart } from '../../wire/form-data.ts'
import { blobOf } from './blob.ts'
import { stringOf } from '../fields.ts'

/** The fields of a form that are no files; a field that is sent several times becomes an array. */
export function formFields(parts: readonly FormPart[]): JsonObject {
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
