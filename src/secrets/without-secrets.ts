import { stripVTControlCharacters } from 'node:util'
import { findSpans } from '../json/find-in-json.ts'
import { replaceSpans, type FindSpans } from '../json/text-span.ts'
import { findLikely } from './find-likely.ts'
import { placeholderOf } from '../text/placeholder.ts'
import { restOf } from './rules/rest-of.ts'
import { isDigest } from './notes/unknown-values.ts'
import { redactKnown } from './redactor.ts'
import { decoded } from './find/judge-value.ts'

/**
 * A text, or JSON, without secrets: neither those that the environment knows nor what looks like a credential. For all
 * that is written besides cassettes, since messages of applications quote their keys. A text with a secret loses its
 * colours, which can begin or end within the secret.
 *
 * @param distinct whether two texts that looked like a credential still differ
 */
export function withoutSecrets(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  distinct: boolean = false,
): string {
  const plain = text.includes('\u001b[') ? stripVTControlCharacters(text) : text
  if (plain !== text) {
    const clean = withoutSecrets(plain, env, distinct)
    return clean === plain ? text : clean
  }
  const known = redactKnown(text, env)
  return replaceSpans(known, findSpans(known, replaceLikely(distinct)))
}

function replaceLikely(distinct: boolean): FindSpans {
  return (text) =>
    findLikely(text).map(({ at, rule, secret }) => ({
      start: at,
      end: at + secret.length,
      text: placeholderOf(rule.replaceAll('-', '_')) + (distinct ? restOf(secret) : ''),
    }))
}

/** Words and numbers that nothing takes for a credential. */
const HARMLESS_VALUE = /^(?:[a-z]{0,11}|[\d.,-]*)$/i

/** Whether the value of a parameter that nobody knows looks neither like a credential, as in bodies, nor like a digest. */
export function isHarmless(name: string, value: string): boolean {
  if (isDigest(value)) return false
  if (HARMLESS_VALUE.test(value)) return true
  return [value, decoded(value) ?? ''].every((one) => {
    const text = `${name}=${one}`
    return withoutSecrets(text, {}) === text
  })
}
