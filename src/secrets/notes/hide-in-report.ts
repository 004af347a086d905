import { stripVTControlCharacters } from 'node:util'
import { type KnownValue, knownInEnvironment } from '../known-values.ts'
import { Veil } from '../veil.ts'

/** All credentials that were known when something was reported: a test takes back those that it has set. */
const known = new Map<string, KnownValue>()

/**
 * Hides known credentials in what a runner reports, in place: errors with all their properties and causes, annotations,
 * tasks. What holds none stays the same object. A property is also a credential if its name says so, such as the header
 * `Authorization` in the error of an HTTP client.
 */
export function hideInReport<Value>(value: Value): Value {
  for (const one of knownInEnvironment(process.env)) known.set(one.value, one)
  const veil = new Veil(process.env, { rules: 'named', known: [...known.values()] })
  const all: Array<[text: string, name: string]> = []
  walk(value, '', new Map(), (text, name) => (all.push([text, name]), text))
  // A secret that only one property shows to be one can stand in the message too.
  veil.learnTexts(all.map(([text, name]) => [plainOf(text), name]))
  return walk(value, '', new Map(), (text, name) => {
    const plain = plainOf(text)
    const shown = veil.hideText(plain, name)
    // Colours can begin and end within a secret.
    return shown === plain ? text : shown
  })
}

function plainOf(text: string): string {
  return text.includes('\u001b') ? stripVTControlCharacters(text) : text
}

type Change = (text: string, name: string) => string

/** Changes all texts in a value, which can refer to itself, be frozen, or throw when it is read. */
function walk<Value>(
  value: Value,
  name: string,
  seen: Map<unknown, unknown>,
  change: Change,
): Value {
  if (typeof value === 'string') return change(value, name) as Value
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (seen.has(value)) return seen.get(value) as Value
  seen.set(value, value)
  if (value instanceof Map || value instanceof Set) return walkInside(value, seen, change) as Value
  let changed: object = value
  for (const key of keysOf(value)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key)
    const before = read(value, key, descriptor)
    const isItem = Array.isArray(value)
    const shownKey = isItem ? key : change(key, '')
    const after = walk(before, isItem ? name : key, seen, change)
    if (after === before && shownKey === key) continue
    if (changed === value && set(value, key, shownKey, after, descriptor!)) continue
    if (changed === value) seen.set(value, (changed = copyOf(value)))
    set(changed, key, shownKey, after, { ...descriptor!, configurable: true })
  }
  return changed as Value
}

function walkInside(
  value: Map<unknown, unknown> | Set<unknown>,
  seen: Map<unknown, unknown>,
  change: Change,
): unknown {
  const items = [...value] as unknown[]
  const shown = items.map((item) => walk(item, '', seen, change))
  if (shown.every((item, at) => item === items[at] && !isChanged(item, value))) return value
  value.clear()
  for (const item of shown)
    if (value instanceof Set) value.add(item)
    else value.set(...(item as [unknown, unknown]))
  return value
}

/** The entries of a map are lists of their own. */
function isChanged(entry: unknown, value: Map<unknown, unknown> | Set<unknown>): boolean {
  return value instanceof Map && value.get((entry as unknown[])[0]) !== (entry as unknown[])[1]
}

/** The properties of errors that reporters print, and that are not enumerable. */
const OF_ERRORS = ['message', 'stack', 'cause', 'errors', 'name']

function keysOf(value: object): string[] {
  const hidden = OF_ERRORS.filter(
    (key) => Object.hasOwn(value, key) && !Object.prototype.propertyIsEnumerable.call(value, key),
  )
  return [...Object.keys(value), ...hidden]
}

function read(value: object, key: string, descriptor?: PropertyDescriptor): unknown {
  // A getter of the application may do anything; a reporter that calls it is its own matter.
  if (descriptor && 'value' in descriptor) return descriptor.value
  // What Node gives an error by accessors of its own, as `stack`, is a text.
  if (key !== 'stack') return undefined
  try {
    return Reflect.get(value, key)
  } catch {
    return undefined
  }
}

function set(
  value: object,
  key: string,
  shownKey: string,
  after: unknown,
  { enumerable, configurable, writable }: PropertyDescriptor,
): boolean {
  if (shownKey === key && writable) return Reflect.set(value, key, after)
  if (!configurable || (shownKey !== key && !Reflect.deleteProperty(value, key))) return false
  const property = { value: after, enumerable, configurable: true, writable: true }
  return Reflect.defineProperty(value, shownKey, property)
}

function copyOf(value: object): object {
  if (Array.isArray(value)) return [...(value as unknown[])]
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value)).map(
    ([key, descriptor]) => [key, { ...descriptor, configurable: true }] as const,
  )
  return Object.create(
    Object.getPrototypeOf(value) as object | null,
    Object.fromEntries(properties),
  ) as object
}
