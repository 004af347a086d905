import { isJsonObject, type JsonValue } from '../../json/json-value.ts'
import { fold } from '../../json/walk.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import { isCredentialParameter } from '../../wire/url.ts'
import { endpointOf } from '../providers.ts'

/** The name of a host other than that of the address, by which servers choose a model; empty if it is the same. */
export function readHost(value: string, url: string): string {
  const named = urlOf(value)
  if (!named) return value
  return endpointOf(named) === endpointOf(new URL(url)) ? '' : named.hostname.replace(/\.$/, '')
}

/** A named host as it is compared: as the host of an address. */
export function endpointNamed(value: string): string {
  const named = urlOf(value)
  return named ? endpointOf(named) : value
}

/** The subprotocols that a client offers, in its order, without those that authenticate it or name its account. */
export function readProtocols(value: string, digest: (value: string) => string): string {
  const offered = value.split(',').flatMap((one) => one.trim() || [])
  return offered
    .filter((one, at) => {
      // Some name the kind of a credential, and then the credential: `token, <key>`.
      const before = offered[at - 1] ?? ''
      if (!before.includes('.') && isCredentialParameter(before)) return false
      const names = one.split('.').slice(0, -1)
      const isBeside = names.some(
        (name) => isCredentialParameter(name) || /(?:organization|project)$/.test(name),
      )
      return !isBeside && one.split(/[^a-z0-9]+/i).every(isPlainWord) && digest(one) !== 'REDACTED'
    })
    .join(', ')
}

/** A word, or a version: chance makes longer ones. */
function isPlainWord(word: string): boolean {
  return /^(?:[a-z]{0,20}|[a-z0-9]{0,7})$/i.test(word)
}

function urlOf(host: string): URL | null {
  return URL.parse(`http://${host}`)
}

/** The place that an address names, wherever on this machine it listens, without what authenticates. */
export function readPlace(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url?.host) return undefined
  return url.hostname.replace(/^(?:127(?:\.\d+){3}|\[::1\])$/, 'localhost') + url.pathname
}

/** A configuration of a gateway, in which the keys of providers can stand. A text that is no JSON is its id. */
export function readJson(value: string): string {
  let config: JsonValue
  try {
    config = JSON.parse(value) as JsonValue
  } catch {
    return value
  }
  return JSON.stringify(withoutCredentials(config))
}

function withoutCredentials(value: JsonValue): JsonValue {
  return fold(value, undefined, (one, _, inside): JsonValue => {
    if (Array.isArray(one)) return one.map((item) => inside(item, undefined))
    if (!isJsonObject(one)) return one
    const fields = Object.keys(one).sort()
    const shown = fields.map((name) => {
      const inner = one[name]!
      const isSecret = typeof inner === 'string' && isCredentialParameter(name)
      return [name, isSecret ? placeholderOf(name) : inside(inner, undefined)]
    })
    return Object.fromEntries(shown) as JsonValue
  })
}
