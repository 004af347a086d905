import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts'
import type { Body } from '../wire/body.ts'
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

/** Fields with credentials in a tool of another server. */
const TOOL_SERVER = new Set(['authorization', 'authorization_token', 'headers'])

/** Who sent a body: a request has a credential only where no prompt can stand. */
type Sender = 'client' | 'server'

/**
 * Replaces the credentials in bodies whose form shows where they are: OAuth exchanges, keys made for a browser, and
 * the tools of other servers. The value does not matter, so that a replay needs none.
 */
export function redactFields(body: Body, sender: Sender): Body {
  if (sender === 'client' && body.kind === 'text' && /^(?:\S+&)?grant_type=\S+$/.test(body.text))
    return redactForm(body)
  if (body.kind !== 'json' || !isJsonObject(body.value)) return body
  const value = redactRoot(body.value, sender)
  return value === body.value ? body : { ...body, value }
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

/**
 * Replaces every header of the tools of other servers, as releases with format 1.0 did. Returns the same body if it
 * has none.
 */
export function blankServers(body: Body): Body {
  if (body.kind !== 'json' || !isJsonObject(body.value)) return body
  const root = withServers(body.value, blankServer)
  const session = isJsonObject(root.session) ? withServers(root.session, blankServer) : undefined
  const value = session && session !== root.session ? { ...root, session } : root
  return value === body.value ? body : { ...body, value }
}

/** Redacts the tools of other servers. The provider calls them itself, with the credential in the request. */
function withServers(owner: JsonObject, redact = redactServer): JsonObject {
  const lists = Object.entries(owner).filter(
    ([name, list]) =>
      (name === 'tools' || name === 'mcp_servers') && Array.isArray(list) && list.some(isServer),
  )
  if (lists.length === 0) return owner
  const replaced = lists.map(([name, list]) => [
    name,
    (list as JsonValue[]).map((tool) => (isServer(tool) ? redact(tool) : tool)),
  ])
  return { ...owner, ...Object.fromEntries(replaced) }
}

function redactServer(tool: JsonObject): JsonObject {
  const { headers } = tool
  const blank = blankServer(tool)
  if (!isJsonObject(headers)) return blank
  return { ...blank, headers: mapFields(headers, (name) => !saysPlainly(name, headers[name])) }
}

function blankServer(tool: JsonObject): JsonObject {
  return mapFields(tool, (name) => TOOL_SERVER.has(name))
}

/** Whether a header is a plain option for the server and no credential: `x-readonly: true`. */
function saysPlainly(name: string, value: JsonValue | undefined): boolean {
  if (isCredentialName(name)) return false
  return typeof value !== 'string' || value.split(NO_WORD).every((word) => WORD.test(word))
}

function isServer(tool: JsonValue): tool is JsonObject {
  return isJsonObject(tool) && (tool.type === 'mcp' || 'authorization_token' in tool)
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
