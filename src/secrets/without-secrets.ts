import { findSpans } from '../json/find-in-json.ts'
import { replaceSpans, type FindSpans } from '../json/text-span.ts'
import { findLikely } from './find-likely.ts'
import { placeholderOf, restOf } from './placeholder.ts'
import { redactKnown } from './redactor.ts'

/**
 * A text, or JSON, without secrets: neither those that the environment knows nor what looks like a credential. For all
 * that is written besides cassettes, since messages of applications quote their keys.
 *
 * @param distinct whether two texts that looked like a credential still differ
 */
export function withoutSecrets(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  distinct: boolean = false,
): string {
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
