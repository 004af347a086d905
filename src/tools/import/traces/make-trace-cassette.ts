import { encodeCassette } from '../../../cassette/encode.ts'
import type { RedactRule } from '../../../config/options.ts'
import type { JsonValue } from '../../../json/json-value.ts'
import { findSecrets, secretTexts } from '../../../secrets/find-secrets.ts'
import { PLACEHOLDER, placeholderOf } from '../../../secrets/placeholder.ts'
import { redactorFor } from '../../../secrets/redactor.ts'
import { jsonOf } from '../../../wire/body.ts'
import { readBody } from '../../../wire/read-body.ts'
import type { MadeCassette, Making } from '../make-cassette.ts'
import type { ModelCall } from './model-call.ts'
import { findPersonal, type PersonalText } from './personal.ts'
import type { Trace } from './read-traces.ts'
import { cassetteOfTrace, type TraceMaking } from './trace-cassette.ts'

/** The cassette of a trace, and what a person should know of it. */
export interface MadeOfTrace extends MadeCassette {
  /** The calls without their credentials. */
  calls: ModelCall[]
  /** The texts that look like personal data: traces come from production. They are left as they are. */
  personal: PersonalText[]
}

/** How often what looks like a credential is replaced: what is left then begins in one text and ends in another. */
const ROUNDS = 3

/** The name of what only looks like a credential. */
const CREDENTIAL = 'CREDENTIAL'

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
  const known = new Set<string>()
  const before = countIn(trace.calls)
  for (let round = 1; ; round++) {
    const calls = trace.calls.map((call) => redacted(call, known, making))
    const cassette = cassetteOfTrace({ calls }, title, making)
    const { stored } = encodeCassette(cassette, '')
    const found = secretTexts(stored, cassette.exchanges).filter((text) => !known.has(text))
    if (found.length > 0 && round < ROUNDS) {
      for (const text of found) known.add(text)
      continue
    }
    const [secret] = findSecrets(stored, cassette.exchanges, making.env).secrets
    const said = calls.map(({ prompt, answer }) => [prompt, answer]) as unknown as JsonValue
    return {
      cassette,
      calls,
      credentials: countIn(calls) - before,
      personal: findPersonal(said),
      ...(secret ? { secret } : {}),
    }
  }
}

function redacted(
  call: ModelCall,
  known: ReadonlySet<string>,
  { env, redact = [] }: Pick<Making, 'env' | 'redact'>,
): ModelCall {
  // The name of the function is that of the placeholder.
  const found = { [CREDENTIAL]: (text: string) => [...known].filter((one) => text.includes(one)) }
  const rules: RedactRule[] = [...redact, ...(known.size > 0 ? [found[CREDENTIAL]!] : [])]
  const redactor = redactorFor([], new URL('https://unknown.invalid'), rules, { ...env })
  const { prompt, answer, cut } = call
  const body = readBody(Buffer.from(JSON.stringify({ prompt, answer, cut })), 'application/json')
  const { body: kept } = redactor.response({ status: 200, headers: {}, body })
  const read = jsonOf(kept) as unknown as Pick<ModelCall, 'prompt' | 'answer' | 'cut'>
  const text = placeholderOf(CREDENTIAL)
  const isReplaced = JSON.stringify(read).includes(text)
  return {
    ...call,
    ...read,
    cut: isReplaced ? [...read.cut, { text, kept: '', why: 'redacted' }] : read.cut,
  }
}

function countIn(calls: readonly ModelCall[]): number {
  const said = calls.map(({ prompt, answer }) => [prompt, answer])
  return JSON.stringify(said).match(PLACEHOLDER)?.length ?? 0
}
