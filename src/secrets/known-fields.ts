import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { sameJson } from '../json/key-order.ts'
import { sha256 } from '../prompt/sha256.ts'
import { jsonOf, type Body } from '../wire/body.ts'
import { isCredentialName } from './credential-name.ts'
import { placeholderOf } from './placeholder.ts'

/** Fields of an OAuth exchange that hold credentials. */
const OAUTH = new Set([
  'access_token',
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'device_code',
  'id_token',
  'password',
  'refresh_token',
  'subject_token',
])

/** The grants of token requests (RFC 6749, 8628, and IBM's, all other extensions being addresses). */
const GRANT =
  /^(?:authorization_code|client_credentials|implicit|password|refresh_token|urn:\S+|https?:\S+)$/

/** Fields of prompts, which no token request has. */
const PROMPT = [
  'model',
  'messages',
  'prompt',
  'input',
  'contents',
  'tools',
  'system',
  'instructions',
]

/** Fields that may come with a credential. A body without any of them has credentials only in the tools of servers. */
const TELLING = ['access_token', 'client_secret', 'grant_type', 'session', 'value']

/** The separators of words, and a word: letters, or few characters. No credential consists of such words. */
const NO_WORD = /[^\p{L}\p{N}]+/u
const WORD = /^(?:\p{L}{0,20}|[\p{L}\p{N}]{1,7})$/u

/** Lists with tools of other servers. */
const TOOLS = ['tools', 'mcp_servers']

/** Fields with credentials in a tool of another server; in headers stand options and names of tenants too. */
const TOOL_SERVER = new Set(['authorization', 'authorization_token', 'headers'])
const SERVER_HEADERS = ['headers', 'extra_headers']

/** The beginnings of values that are credentials, whatever their name. */
const SCHEME = /^(?:basic|bearer|token) |^eyJ/i

/** Who sent a body: a request has a credential only where no prompt can stand. */
type Sender = 'client' | 'server'

/**
 * Replaces the credentials in bodies whose form shows where they are: OAuth exchanges, keys made for a browser, and
 * the tools of other servers. The value does not matter, so that a replay needs none.
 */
export function redactFields(body: Body, sender: Sender): Body {
  if (sender === 'client' && body.kind === 'text' && isTokenForm(body.text)) return redactForm(body)
  const sent = jsonOf(body)
  if (!isJsonObject(sent)) return body
  const value = redactRoot(sent, sender)
  if (value === sent) return body
  if (body.kind === 'json') return { ...body, value }
  // A text that says more than its value stays a text, unless a credential is in it.
  return sameJson(value, sent) ? body : { kind: 'json', value, layout: {} }
}

/** Two patterns: one that goes back over each character of megabytes overflows its stack. */
function isTokenForm(text: string): boolean {
  return /(?:^|\S&)grant_type=\S/.test(text) && !/\s/.test(text)
}

/** Whether fields are those of a token request: the words of a prompt can be called `code` too. */
function isTokenRequest(fields: Record<string, unknown>): boolean {
  return (
    typeof fields.grant_type === 'string' &&
    GRANT.test(fields.grant_type) &&
    Object.values(fields).every((value) => typeof value !== 'object' || value === null) &&
    !PROMPT.some((name) => name in fields)
  )
}

function redactForm(body: Body & { kind: 'text' }): Body {
  const fields = new URLSearchParams(body.text)
  if (!isTokenRequest(Object.fromEntries(fields))) return body
  for (const name of new Set(fields.keys())) {
    if (OAUTH.has(name)) fields.set(name, placeholderOf(name))
  }
  return { kind: 'text', text: fields.toString() }
}

/** Returns the same object only if it has no such field and no tool of another server. */
function redactRoot(root: JsonObject, sender: Sender): JsonObject {
  if (!TELLING.some((name) => name in root)) return withServers(root)
  const isOAuth =
    isTokenRequest(root) || (sender === 'server' && 'access_token' in root && 'token_type' in root)
  const fields = isOAuth ? mapFields(root, (name) => OAUTH.has(name)) : root
  const { client_secret: secret, value, session } = fields
  const isNew = isJsonObject(secret) && (sender === 'server' || isForBrowser(secret.value))
  return {
    ...withServers(fields),
    ...(isNew ? { client_secret: mapFields(secret, (name) => name === 'value') } : {}),
    ...(isForBrowser(value) ? { value: placeholderOf('client_secret') } : {}),
    ...(isJsonObject(session) ? { session: withServers(session) } : {}),
  }
}

function isForBrowser(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.startsWith('ek_')
}

/** Redacts the tools of other servers. The provider calls them itself, with the credential in the request. */
function withServers(owner: JsonObject): JsonObject {
  const redacted: JsonObject = {}
  for (const name of TOOLS) {
    const { [name]: list } = owner
    if (Array.isArray(list) && list.some(isServer))
      redacted[name] = list.map((tool) => (isServer(tool) ? redactServer(tool) : tool))
  }
  return Object.keys(redacted).length === 0 ? owner : { ...owner, ...redacted }
}

/** Of a header that is no credential the value counts: which tenant, which folder, which mode. */
function redactServer(tool: JsonObject): JsonObject {
  const redacted = mapFields(tool, (name) => TOOL_SERVER.has(name))
  for (const field of SERVER_HEADERS) {
    const { [field]: headers } = tool
    if (!isJsonObject(headers)) continue
    const kept = Object.entries(headers).map(([name, value]) => [name, keepHeader(name, value)])
    redacted[field] = Object.fromEntries(kept)
  }
  return redacted
}

function keepHeader(name: string, value: JsonValue): JsonValue {
  if (typeof value !== 'string' || value === '') return value
  if (isCredentialName(name) || SCHEME.test(value)) return placeholderOf(name)
  // Words are an option for the server: `x-readonly: true`.
  const saysPlainly = value.split(NO_WORD).every((word) => WORD.test(word))
  return saysPlainly ? value : `<DIGEST:${sha256(value).slice(0, 12)}>`
}

function isServer(tool: JsonValue): tool is JsonObject {
  if (!isJsonObject(tool)) return false
  const isOfMcp = /^mcp(?:_server)?$/.test(String(tool.type))
  return isOfMcp || 'authorization' in tool || 'authorization_token' in tool
}

function mapFields(owner: JsonObject, isSecret: (name: string) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(owner).map(([name, value]) => {
      if (!isSecret(name)) return [name, value]
      if (isJsonObject(value)) return [name, mapFields(value, () => true)]
      return [name, typeof value === 'string' && value !== '' ? placeholderOf(name) : value]
    }),
  )
}
