import { findSpans } from '../json/find-in-json.ts'
import { replaceSpans, type FindSpans } from '../json/text-span.ts'
import { findIssued } from './find-issued.ts'
import { findNamed } from './find-named.ts'
import { placeholderOf } from './placeholder.ts'
import { redactKnown } from './redactor.ts'
import { findFormed } from './secret-forms.ts'

/**
 * A text, or JSON, without secrets: neither those that the environment knows nor what looks like a credential. For all
 * that is written besides cassettes, since messages of applications quote their keys.
 */
export function withoutSecrets(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const known = redactKnown(text, env)
  return replaceSpans(known, findSpans(known, findLikely))
}

const findLikely: FindSpans = (text) =>
  [...findIssued(text), ...findFormed(text), ...findNamed(text)].map(({ at, rule, secret }) => ({
    start: at,
    end: at + secret.length,
    text: placeholderOf(rule.replaceAll('-', '_')),
  }))
