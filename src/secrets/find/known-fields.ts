import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import { rewrite, equal } from '../../json/walk.ts'
import { jsonOf, type Body } from '../../wire/body.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import { mapServers, mapServersIn, plainPlaceholder } from './map-servers.ts'
import type { MapCredential } from './server-places.ts'

/** Fields of an OAuth exchange that hold credentials. */
export const OAUTH: ReadonlySet<string> = new Set([
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
const TELLING = ['access_token', 'client_secret', 'grant_type', 'value']

/** Who sent a body: a request has a credential only where no prompt can stand. */
type Sender = 'client' | 'server'

/**
 * Replaces the credentials in bodies whose form shows where they are: OAuth exchanges, keys made for a browser, and
 * the tools of other servers. The value does not matter, so that a replay needs none.
 *
 * @param ofServer what stands for a credential that the provider sends to another server
 */
export function redactFields(
  body: Body,
  sender: Sender,
  ofServer: MapCredential = plainPlaceholder,
): Body {
  if (sender === 'client' && body.kind === 'text' && isTokenForm(body.text)) return redactForm(body)
  if (body.kind === 'lines') return mapServersIn(body, ofServer)
  const sent = jsonOf(body)
  if (!isJsonObject(sent)) return body
  const value = redactRoot(sent, sender, ofServer)
  if (value === sent) return body
  if (body.kind === 'json') return { ...body, value }
  // A text that says more than its value stays a text, unless a credential is in it.
  return equal(value, sent) ? body : { kind: 'json', value, layout: {} }
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
  const pairs = body.text.split('&').map((pair) => {
    const [name = ''] = new URLSearchParams(pair).keys()
    return OAUTH.has(name) ? `${name}=${placeholderOf(name)}` : pair
  })
  return { kind: 'text', text: pairs.join('&') }
}

/** Returns the same object only if it has no such field and no tool of another server. */
function redactRoot(root: JsonObject, sender: Sender, ofServer: MapCredential): JsonObject {
  if (!TELLING.some((name) => name in root)) return mapServers(root, ofServer)
  const isOAuth =
    isTokenRequest(root) || (sender === 'server' && 'access_token' in root && 'token_type' in root)
  const fields = isOAuth ? mapFields(root, (name) => OAUTH.has(name)) : root
  const { client_secret: secret, value } = fields
  const isNew = isJsonObject(secret) && (sender === 'server' || isForBrowser(secret.value))
  return {
    ...mapServers(fields, ofServer),
    ...(isNew ? { client_secret: mapFields(secret, (name) => name === 'value') } : {}),
    ...(isForBrowser(value) ? { value: placeholderOf('client_secret') } : {}),
  }
}

function isForBrowser(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.startsWith('ek_')
}

function mapFields(owner: JsonObject, isSecret: (name: string) => boolean): JsonObject {
  const mapped = rewrite(owner, (value, at) => {
    const [first] = at
    if (first === undefined) return undefined
    if (!isSecret(String(first)) || Array.isArray(value)) return value
    const isSaid = typeof value === 'string' && value !== ''
    return isSaid ? placeholderOf(String(at.at(-1))) : undefined
  })
  return mapped as JsonObject
}
