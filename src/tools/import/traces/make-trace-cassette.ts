import type { RedactRules } from '../../../config/option-values.ts'
import type { JsonValue } from '../../../json/json-value.ts'
import { placeholderOf } from '../../../text/placeholder.ts'
import { placeholdersIn } from '../../../text/placeholders.ts'
import type { Redacting } from '../../../secrets/redactions.ts'
import { redactorFor } from '../../../secrets/redactor.ts'
import { jsonOf } from '../../../wire/body.ts'
import { readBody } from '../../../wire/read-body.ts'
import type { MadeCassette, Making } from '../make-cassette.ts'
import { CREDENTIAL, withoutCredentials } from '../without-credentials.ts'
import type { ModelCall } from './model-call.ts'
import { findPersonal, type PersonalText } from '../../sources/personal.ts'
import type { Trace } from './read-traces.ts'
import { cassetteOfTrace, type TraceMaking } from './trace-cassette.ts'

/** The cassette of a trace, and what a person should know of it. */
export interface MadeOfTrace extends MadeCassette {
  /** The calls without their credentials. */
  calls: ModelCall[]
  /** The texts that look like personal data: traces come from production. They are left as they are. */
  personal: PersonalText[]
}

/**
 * Makes the cassette of a trace, with its credentials replaced as they are at recording. One that only looks like a
 * credential stands for any text, as nobody knows what the application sends in its place today.
 *
 * @param title `<test file> > <suite> > <test>`
 */
export function makeTraceCassette(
  trace: Pick<Trace, 'calls'>,
  title: string,
  making: Pick<Making, 'env' | 'redact'> & TraceMaking,
): MadeOfTrace {
  return withoutCredentials(making, (rules) => {
    const redacting: Redacting = {}
    const calls = trace.calls.map((call) => redacted(call, rules, redacting, making))
    const said = calls.map(({ prompt, answer }) => [prompt, answer]) as unknown as JsonValue
    return {
      cassette: cassetteOfTrace({ calls }, title, making),
      calls,
      // Most traces have none, and nothing is counted.
      credentials: calls.some((call, index) => call !== trace.calls[index])
        ? countIn(calls) - countIn(trace.calls)
        : 0,
      personal: findPersonal(said),
    }
  })
}

function redacted(
  call: ModelCall,
  rules: RedactRules,
  redacting: Redacting,
  { env }: Pick<Making, 'env'>,
): ModelCall {
  const redactor = redactorFor([], new URL('https://unknown.invalid'), rules, { ...env }, redacting)
  const { prompt, answer, cut } = call
  const text = JSON.stringify({ prompt, answer, cut })
  const body = readBody(Buffer.from(text), 'application/json')
  const { body: kept } = redactor.response({ status: 200, headers: {}, body })
  if (jsonOf(kept) === jsonOf(body)) return call
  const read = jsonOf(kept) as unknown as Pick<ModelCall, 'prompt' | 'answer' | 'cut'>
  const credential = placeholderOf(CREDENTIAL)
  const isReplaced = JSON.stringify(read).includes(credential)
  return {
    ...call,
    ...read,
    cut: isReplaced ? [...read.cut, { text: credential, kept: '', why: 'redacted' }] : read.cut,
  }
}

function countIn(calls: readonly ModelCall[]): number {
  const said = calls.map(({ prompt, answer }) => [prompt, answer])
  return placeholdersIn(JSON.stringify(said)).length
}
