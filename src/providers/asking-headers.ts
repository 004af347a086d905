import { remember } from '../remember.ts'
import type { WireRequest } from '../wire/message.ts'
import type { HeaderReading } from './provider.ts'
import { loadRareReadings } from './kit/load-rare-readings.ts'
import {
  ADDRESS,
  ASKING_HEADER,
  FAMILY,
  READ_BY_DIALECTS,
  READINGS,
  UNSTORED,
} from './tables/headers.ts'

export { ASKING_HEADER, READ_BY_DIALECTS } from './tables/headers.ts'

/** Removes the headers of a request, except those that name a model, which a dialect reads. */
export function withoutHeaders({ headers = {}, ...rest }: WireRequest): WireRequest {
  const kept = Object.entries(headers).filter(([name]) => READ_BY_DIALECTS.includes(name))
  return { ...rest, ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}) }
}

const NONE = {}

/** The headers of a request that count, by their names in lower case; no field if it has none of them. */
export function keepAskingHeaders(
  headers: Iterable<[name: string, value: string]>,
  digest: (value: string) => string,
  url: string,
): Pick<WireRequest, 'headers'> {
  let kept: Record<string, string> | undefined
  for (const [name, value] of headers) {
    const reading = readingOf(name)
    if (reading === 'none') continue
    const read = readValue(reading, value, digest, url)
    if (read !== '') (kept ??= {})[name] = read
  }
  return kept ? { headers: inOrder(kept) } : NONE
}

/** Tests ask with few names of headers. */
const readingOf = remember((name): HeaderReading | 'none' => {
  const known = READINGS.get(name)
  if (known !== undefined) return known
  if (UNSTORED.has(name) || !ASKING_HEADER.test(name)) return 'none'
  return FAMILY.test(name) ? 'digest' : ADDRESS.test(name) ? 'address' : 'text'
})

/** In alphabetical order, whatever the order in which they were sent. */
function inOrder(kept: Record<string, string>): Record<string, string> {
  const names = Object.keys(kept)
  return names.length < 2
    ? kept
    : Object.fromEntries(names.sort().map((name) => [name, kept[name]!]))
}

/** Kept headers in the form in which they are compared, each as `name: value`, sorted. */
export function canonicalHeaders(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .flatMap(([name, stored]) => {
      const value = readStored(READINGS.get(name), stored)
      return value === '' ? [] : `${name}: ${value}`
    })
    .sort()
}

/** The value of a stored header: earlier releases read some in another way. */
function readStored(reading: HeaderReading | undefined, value: string): string {
  if (reading === 'host') return loadRareReadings().endpointNamed(value)
  if (reading === 'set') return readSet(value)
  // Only a frame of bytes is stored with this one, which tells it from a text.
  return reading === 'formats' && value !== 'application/octet-stream' ? readFormats(value) : value
}

/** The form of a value in which it is stored and compared; empty if it says nothing. */
function readValue(
  reading: HeaderReading,
  value: string,
  digest: (value: string) => string,
  url: string,
): string {
  switch (reading) {
    case 'text':
      return value
    case 'formats':
      return isUsual(value) ? '' : readFormats(value)
    case 'host':
      // Nearly every client names the host of the address.
      return url.split('/', 3)[2] === value ? '' : loadRareReadings().readHost(value, url)
    case 'address':
      return loadRareReadings().readPlace(value) ?? `digest ${digest(value)}`
    case 'protocols':
      return value && loadRareReadings().readProtocols(value, digest)
    case 'json':
      return loadRareReadings().readJson(value)
    case 'digest':
      return value === '' ? '' : `digest ${digest(value)}`
    default:
      return readSet(value)
  }
}

/** Names in a set mean the same in any order, and if they are repeated. */
function readSet(value: string): string {
  const names = value.split(',').map((one) => one.trim())
  return [...new Set(names)].filter(Boolean).sort().join(', ')
}

/** Formats that every client names, or none: JSON, events, any, plain text, bytes, and forms, whose boundary is random. */
const USUAL =
  /^(?:\*\/\*|multipart\/.*|text\/(?:event-stream|plain|json)|application\/(?:json|.*\+json|octet-stream|x-www-form-urlencoded|x-ndjson|jsonl|json-?lines|json-l))$/

/** True for what most clients name, so that no expression is needed. */
function isUsual(value: string): boolean {
  return value === 'application/json' || value === '*/*'
}

/** Media types with their parameters, without what a client names by default, and how much it likes each. */
const readFormats = remember((value): string => {
  const formats = value.split(',').flatMap((one) => {
    const [type, ...parameters] = one.toLowerCase().replaceAll(/\s/g, '').split(';')
    const kept = parameters.filter((part) => part !== '' && !/^(?:q|charset|boundary)=/.test(part))
    return /.\/./.test(type!) && !USUAL.test(type!) ? [[type, ...kept].join(';')] : []
  })
  return formats.sort().join(', ')
})
