import type { JsonObject } from '../../json/json-value.ts'

/**
 * One part of a multipart body: `name`, `filename`, `type` and further `headers` if it has them, and its content as
 * `text` or `base64`. A model reads a file and a prompt as the text that they are, also where that is JSON.
 */
export type FormPart = JsonObject

/** The parts of a form as a text, one to a line. */
export function formText(parts: readonly FormPart[]): string {
  return parts.map((part) => JSON.stringify(part)).join('\n')
}
