import { appendFileSync, writeFileSync } from '../real/files.ts'
import { loadHiding } from './notes/load-hiding.ts'
import { loadRedactor } from './notes/load-redactor.ts'

// All that this package writes besides cassettes and what a user asks it to write is a note. What it says comes from
// applications, which quote their keys, so no note is written but here.

/** Variables whose values are known; by default, those of this process. */
type Env = Readonly<Record<string, string | undefined>>

/** Writes a note. Bytes, such as a picture, are written as they are. */
export function writeNote(file: string, content: string | Uint8Array): void {
  writeFileSync(file, safe(content))
}

/** Adds to a note. */
export function appendNote(file: string, text: string, env?: Env): void {
  appendFileSync(file, safe(text, env))
}

/**
 * Adds a value to a note with one JSON value a line. Several processes may add to the same file.
 *
 * @param mode the permissions of a file that is made
 * @param distinct whether two lines that held different credentials have to differ
 */
export function appendJsonLine(
  file: string,
  value: unknown,
  { mode, distinct }: { mode?: number; distinct?: boolean } = {},
): void {
  const line = loadRedactor().withoutSecrets(JSON.stringify(value), undefined, distinct)
  // The line break comes first, so that a torn line spoils no other.
  appendFileSync(file, `\n${line}`, { mode })
}

/** What is written of a content. */
export function safe<Content extends string | Uint8Array>(
  content: Content,
  env?: Env,
): Content | string {
  return typeof content === 'string' ? loadRedactor().withoutSecrets(content, env) : content
}

/** Hides known credentials in what a runner reports, in place: errors with their properties, annotations, titles. */
export function hideReported<Value>(value: Value): Value {
  return loadHiding().hideInReport(value)
}
