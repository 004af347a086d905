import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { fold, rewrite } from '../../json/walk.ts'
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
export function mapCredentials(root: JsonObject, map: MapCredential, at: string = ''): JsonObject {
  const mapped = fold(root, at, (owner, path, inside): JsonValue => {
    if (!isJsonObject(owner)) return owner
    return mapFields(owner, (key, value) => {
      const at = path === '' ? key : `${path}.${key}`
      if (LISTS.has(key)) {
        const isSource = /^data_?sources$/i.test(key)
        return mapObjects(value, at, (tool, place) => mapTool(tool, map, place, isSource))
      }
      if (!OWNERS.has(key)) return value
      return Array.isArray(value) ? mapObjects(value, at, inside) : inside(value, at)
    })
  })
  return mapped as JsonObject
}

function mapTool(
  tool: JsonObject,
  map: MapCredential,
  path: string,
  isSource: boolean,
): JsonObject {
  const isServer = isToolServer(tool)
  if (!isServer && (tool.type === 'function' || tool.type === 'custom')) return tool
  const place: Place = { path, map, isServer, isSource, isAbout: false }
  return fold(tool, place, mapServer) as JsonObject
}

interface Place {
  path: string
  map: MapCredential
  isServer: boolean
  /** Whether it is a source of data, whose parameters are settings. */
  isSource: boolean
  /** Whether it is an object about a credential. */
  isAbout: boolean
}

function mapServer(
  owner: JsonValue,
  place: Place,
  within: (part: JsonValue, place: Place) => JsonValue,
): JsonValue {
  if (!isJsonObject(owner)) return owner
  const { path, map, isServer, isSource, isAbout } = place
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
    return Array.isArray(value)
      ? mapObjects(value, at, (one, path) => within(one, { ...inside, path }))
      : within(value, { ...inside, path: at })
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
  return rewrite(value, (one, at) => {
    if (Array.isArray(one)) return one
    if (typeof one !== 'string' || one === '') return undefined
    return map(String(at.at(-1) ?? name), one, [path, ...at].join('.'))
  })
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
  map: (one: JsonObject, path: string) => JsonValue,
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
