import { isJsonObject } from '../../json/json-value.ts'
import { type Body, jsonOf } from '../../wire/body.ts'
import { isTelling, type KnownValue } from '../known-values.ts'
import { Numbers } from '../../text/numbers.ts'
import { placeholderOf } from '../../text/placeholder.ts'
import type { DifferingCredential } from '../restore-plain-values.ts'
import type { MapCredential } from './server-places.ts'
import { mapCredentials } from './server-credentials.ts'

export { mapCredentials }

// No credential is stored, not even as a digest. What is stored says which variables hold it, or else which of the
// credentials of one request are equal: `<REDACTED:authorization GITHUB_TOKEN>`, `<REDACTED:authorization #1>`.

/** What is known of a credential: the variables that hold it, or its number in the request. */
type Label = readonly string[] | number | undefined

interface Field {
  name: string
  value: string
}

/** Values in the place of a credential that open nothing: on CI several servers can get the same one. */
const DUMMY =
  /(?:^|[^a-z])(?:any|cassette|changeme|ci|default|dev|development|dummy|example|fake|harmless|invalid|local|mock(?:ed)?|no|none|not|nothing|null|offline|placeholder|redacted|replay|sample|stub|test(?:ing|s)?|undefined|unset|unused|your)(?:[^a-z]|$)|x{3,}|0{6,}/i

/** A word, or a number. */
const WORDS = /^(?:[a-z]+|\d+|[a-z]+\d{1,4})$/i

/**
 * The placeholders of the credentials in a request, which a redactor may have changed since.
 *
 * @param sent the request as it was sent
 * @param variables the credentials of the environment
 */
export function labelCredentials(sent: Body, variables: readonly KnownValue[]): MapCredential {
  const fields = fieldsOf(sent)
  const tokens = new Numbers()
  const labels = new Map<string, Label>()
  for (const [path, { value }] of fields) {
    const token = withoutScheme(value)
    const names = namesOf(token, variables)
    labels.set(path, names.length > 0 ? names : isDummy(token) ? undefined : tokens.of(token))
  }
  const isAlone = [...labels.values()].filter((label) => label !== undefined).length < 2
  return (name, _value, path) => {
    const label = labels.get(path)
    if (label === undefined || (typeof label === 'number' && isAlone)) return placeholderOf(name)
    return placeholderOf(`${name} ${typeof label === 'number' ? `#${label}` : label.join('|')}`)
  }
}

/**
 * The first credential of a request that cannot be the recorded one: it is that of another variable, or another one of
 * the same request has become equal to it, or different from it. What nobody knows contradicts nothing.
 */
export function compareCredentials(recorded: Body, asked: Body): DifferingCredential | undefined {
  const known = fieldsOf(recorded)
  if (known.size === 0) return undefined
  const pairs: Array<{ path: string; was: Label; is: Label }> = []
  for (const [path, field] of fieldsOf(asked)) {
    const was = known.has(path) ? labelOf(known.get(path)!) : undefined
    const is = labelOf(field)
    if (was === undefined || is === undefined) continue
    if (isNamed(was) && isNamed(is) && !isSame(was, is))
      return { path, recorded: was.join(' or '), now: is.join(' or ') }
    // Where the variable is not set, any value can stand for it.
    if (isNamed(was) && !isNamed(is)) continue
    for (const other of pairs) {
      if (isNamed(was) && isNamed(other.was)) continue
      const [wereSame, areSame] = [isSame(was, other.was), isSame(is, other.is)]
      if (wereSame !== areSame) return { path, other: other.path, areSame }
    }
    pairs.push({ path, was, is })
  }
  return undefined
}

/** Whether a request that is recorded anew says another thing, or more, of its credentials than the old one. */
export function hasOtherCredentials(old: Body, fresh: Body): boolean {
  const countKnown = (body: Body): number =>
    [...fieldsOf(body).values()].filter((field) => labelOf(field) !== undefined).length
  return compareCredentials(old, fresh) !== undefined || countKnown(old) < countKnown(fresh)
}

function fieldsOf(body: Body): Map<string, Field> {
  const fields = new Map<string, Field>()
  const note: MapCredential = (name, value, path) => {
    fields.set(path, { name, value })
    return value
  }
  if (body.kind === 'lines')
    for (const [at, line] of body.lines.entries())
      if (isJsonObject(line)) mapCredentials(line, note, `[${at}]`)
  const value = jsonOf(body)
  if (isJsonObject(value)) mapCredentials(value, note)
  return fields
}

function withoutScheme(value: string): string {
  return value.replace(/^(?:basic|bearer|token) +/i, '').trim()
}

/** The variables that hold a credential, or a part of it: all of them, since another machine may have one alone. */
function namesOf(token: string, variables: readonly KnownValue[]): string[] {
  const isIn = ({ name, value }: KnownValue): boolean => /^\w+$/.test(name) && token.includes(value)
  const names = variables.filter(isIn)
  const whole = names.filter(({ value }) => value === token)
  return [...new Set((whole.length > 0 ? whole : names).map(({ name }) => name))].sort()
}

function isDummy(token: string): boolean {
  if (!isTelling(token)) return true
  return token.split(/[^\p{L}\p{N}]+/u).every((word) => WORDS.test(word)) && DUMMY.test(token)
}

/** What a placeholder says; in fields that earlier releases did not replace, the name of the variable alone. */
function labelOf({ name, value }: Field): Label {
  const [, own, detail] = /<REDACTED:([\w-]+)(?: ([^>]+))?>$/.exec(value) ?? []
  if (detail?.startsWith('#')) return Number(detail.slice(1))
  if (detail !== undefined) return detail.split('|')
  return own === undefined || own === name || own === own.toLowerCase() ? undefined : [own]
}

function isNamed(label: Label): label is readonly string[] {
  return typeof label === 'object'
}

function isSame(one: Label, other: Label): boolean {
  return isNamed(one) && isNamed(other) ? one.some((name) => other.includes(name)) : one === other
}
