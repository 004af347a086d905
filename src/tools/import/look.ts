import type { ForeignFile } from './foreign.ts'

/** The value of a file that is JSON; `undefined` for any other. */
export function jsonIn(file: ForeignFile): unknown {
  if (!/^\s*[[{]/.test(file.head)) return undefined
  return tryRead(() => file.json())
}

/** The value of a file that is JSON, or YAML with one of these keys at its beginning of a line. */
export function dataIn(file: ForeignFile, keys: RegExp): unknown {
  if (/^\s*[[{]/.test(file.head)) return tryRead(() => file.json())
  return keys.test(file.head) ? tryRead(() => file.yaml()) : undefined
}

/** The first object of a list, or an object alone. */
export function firstOf(value: unknown): Record<string, unknown> | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return hasFields(first) ? first : undefined
}

export function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is broken is looked at when it is known which format it should be. */
export function tryRead<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
