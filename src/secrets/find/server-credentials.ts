import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { credentialName, isCredentialName } from '../credential-name.ts'
import { LISTS, type MapCredential, OWNERS } from './server-places.ts'

/** Fields that describe what a model writes: the words in them are part of the prompt. */
const PROMPTS = new Set([
  'examples',
  'format',
  'function',
  'functionDeclarations',
  'function_declarations',
  'inputSchema',
  'input_examples',
  'input_schema',
  'json_schema',
  'outputSchema',
  'output_schema',
  'parameters',
  'schema',
])

const HEADERS = new Set(['headers', 'extra_headers', 'extraHeaders'])

/** Objects about a credential, and the fields that are one only there. */
const ABOUT = /^(?:auth|api_?auth|authentication|auth_?config|credentials?|api_?key_?config)$/i
const ONLY_THERE = /^(?:key|value|connection_?string|api_?key_?string)$/i

/** The separators of words, and a word: letters, or few characters. No credential consists of such words. */
const NO_WORD = /[^\p{L}\p{N}]+/u
const WORD = /^(?:\p{L}{0,20}|[\p{L}\p{N}]{1,7})$/u

/** The beginnings of values that are credentials, whatever their name. */
const SCHEME = /^(?:basic|bearer|token) |^eyJ/i

/** What stands in the place of a value already. */
const REPLACED = /^<(?:DIGEST|REDACTED):[^>]*>$/

/** Replaces each credential that the provider sends to another server. Returns the same object if there is none. */
export function mapCredentials(
  owner: JsonObject,
  map: MapCredential,
  path: string = '',
): JsonObject {
  return mapFields(owner, (key, value) => {
    const at = path === '' ? key : `${path}.${key}`
    if (LISTS.has(key)) {
      const isSource = /^data_?sources$/i.test(key)
      return mapObjects(value, at, (tool, place) => mapTool(tool, map, place, isSource))
    }
    if (!OWNERS.has(key)) return value
    if (isJsonObject(value)) return mapCredentials(value, map, at)
    return Array.isArray(value)
      ? mapObjects(value, at, (one, place) => mapCredentials(one, map, place))
      : value
  })
}

function mapTool(
  tool: JsonObject,
  map: MapCredential,
  path: string,
  isSource: boolean,
): JsonObject {
  const isServer = isToolServer(tool)
  if (!isServer && (tool.type === 'function' || tool.type === 'custom')) return tool
  return mapServer(tool, { map, isServer, isSource, isAbout: false }, path)
}

interface Place {
  map: MapCredential
  isServer: boolean
  /** Whether it is a source of data, whose parameters are settings. */
  isSource: boolean
  /** Whether it is an object about a credential. */
  isAbout: boolean
}

function mapServer(owner: JsonObject, place: Place, path: string): JsonObject {
  const { map, isServer, isSource, isAbout } = place
  return mapFields(owner, (key, value) => {
    const at = `${path}.${key}`
    if (HEADERS.has(key)) {
      if (isJsonObject(value)) return mapHeaders(value, map, at)
      return isServer && key === 'headers' ? mapAll(key, value, map, at) : value
    }
    if (/^authorization(?:_?token)?$/i.test(key)) return mapAll(key, value, map, at)
    if (PROMPTS.has(key) && !(isSource && key === 'parameters')) return value
    if (typeof value === 'string') {
      const isCredential = credentialName(key) === 'credential' || (isAbout && ONLY_THERE.test(key))
      return isCredential ? mapAll(key, value, map, at) : value
    }
    const inside = { ...place, isServer: false, isAbout: isAbout || ABOUT.test(key) }
    if (isJsonObject(value)) return mapServer(value, inside, at)
    return Array.isArray(value)
      ? mapObjects(value, at, (one, place) => mapServer(one, inside, place))
      : value
  })
}

/** Of a header that is no credential the value counts: which tenant, which folder, which mode. */
function mapHeaders(headers: JsonObject, map: MapCredential, path: string): JsonObject {
  return mapFields(headers, (name, value) => {
    if (typeof value !== 'string' || value === '') return value
    if (isCredentialName(name) || SCHEME.test(value)) return map(name, value, `${path}.${name}`)
    // Words are an option for the server: `x-readonly: true`.
    const isPlain = value.split(NO_WORD).every((word) => WORD.test(word))
    return isPlain || REPLACED.test(value) ? value : `<DIGEST:${sha256(value).slice(0, 12)}>`
  })
}

function mapAll(name: string, value: JsonValue, map: MapCredential, path: string): JsonValue {
  if (typeof value === 'string') return value === '' ? value : map(name, value, path)
  if (!isJsonObject(value)) return value
  return mapFields(value, (key, inner) => mapAll(key, inner, map, `${path}.${key}`))
}

function isToolServer({ type, ...tool }: JsonObject): boolean {
  return (
    /^mcp(?:_server)?$/.test(String(type)) ||
    'authorization' in tool ||
    'authorization_token' in tool
  )
}

/** Maps the objects of a list, or those of an object by name. */
function mapObjects(
  list: JsonValue,
  path: string,
  map: (one: JsonObject, path: string) => JsonObject,
): JsonValue {
  if (isJsonObject(list))
    return mapFields(list, (key, one) => (isJsonObject(one) ? map(one, `${path}.${key}`) : one))
  if (!Array.isArray(list)) return list
  const mapped = list.map((one, at) => (isJsonObject(one) ? map(one, `${path}[${at}]`) : one))
  return mapped.every((one, at) => one === list[at]) ? list : mapped
}

/** Returns the same object where no value is another. */
function mapFields(
  owner: JsonObject,
  map: (key: string, value: JsonValue) => JsonValue,
): JsonObject {
  const entries = Object.entries(owner).map(([key, value]) => [key, map(key, value)] as const)
  return entries.every(([key, value]) => value === owner[key]) ? owner : Object.fromEntries(entries)
}
