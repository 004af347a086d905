import type { Cassette } from '../cassette/cassette.ts'
import { encodeTexts } from '../cassette/encode.ts'
import type { Session } from '../engine/session.ts'
import { findAddresses } from '../secrets/find-addresses.ts'
import { findSecrets, type FoundSecret, type FoundSecrets } from '../secrets/find-secrets.ts'
import { keptNames, withoutKept } from '../secrets/redactions.ts'
import { veilOf } from '../secrets/veil.ts'
import type { Explanation } from './explain-miss.ts'
import { type AttemptOutcome, type Failure, judgeAttempt, type Verdict } from './judge-attempt.ts'
import { inColors, labelled, labelTest, LEFT, paint } from './labelled.ts'

/** The number of places that are shown. */
const MAX_SHOWN = 5

/**
 * Judges an attempt whose answers have all ended. Parks its recording instead of saving it if it contains a text that
 * looks like a credential; warns of e-mail addresses that may belong to someone.
 */
export async function judgeWhole(session: Session, outcome: AttemptOutcome): Promise<Verdict> {
  const verdict = judgeAttempt(session, outcome)
  const { save, ...rest } = verdict
  if (!save) return verdict
  const stored = encodeTexts(save)
  const env = withoutKept(process.env, keptNames(session.config.redact))
  const found = findSecrets(stored, save.exchanges, env)
  if (found.secrets.length > 0) {
    const failure = inColors(explainSecrets(session, found), outcome.color)
    const callSite = callSiteOf(session, save, found.secrets[0]!)
    return { ...rest, park: save, isUseless: true, failure: { ...failure, callSite } }
  }
  const addresses = findAddresses(stored, save.exchanges)
  if (addresses.length === 0) return verdict
  const warnings = [verdict.warning ?? [], warnOfAddresses(session, addresses)].flat()
  return { ...verdict, warning: warnings.join('\n') }
}

/** The call site of the request with the secret, if this attempt recorded it. */
function callSiteOf(session: Session, save: Cassette, { pointer }: FoundSecret): Error | undefined {
  const hash = save.exchanges[Number(pointer.split('/')[2])]?.prompt.hash
  return session.asked.find(({ recording }) => recording && hash === recording.incoming.hash)
    ?.recording?.callSite
}

function warnOfAddresses({ test }: Session, addresses: string[]): string {
  const shown = addresses.slice(0, MAX_SHOWN).join(', ')
  const left = addresses.length > MAX_SHOWN ? ` and ${addresses.length - MAX_SHOWN} more` : ''
  return (
    `[vitest-cassette] ${test.cassette} holds e-mail addresses: ${shown}${left}. If they belong to someone, ` +
    'put example.com in their place, or describe them in the option redact.'
  )
}

function explainSecrets({ test }: Session, { secrets: found, more }: FoundSecrets): Failure {
  const [{ rule, pointer }] = found as [FoundSecret]
  const count = found.length + more
  const others = count > 1 ? `, and ${count - 1} more` : ''
  const shown = found
    .slice(0, MAX_SHOWN)
    .map((secret) =>
      labelled('found', `${secret.pointer}: ${secret.masked}, by the rule ${secret.rule}`),
    )
  const left = count - shown.length
  return {
    code: 'secret',
    headline: `The recording seems to hold a credential, so it is not saved: ${rule} at ${pointer}${others}`,
    details: [
      ...labelTest(test, LEFT),
      ...shown,
      ...(left > 0 ? [labelled('', paint.dim(`and ${left} more`))] : []),
      '',
      'If it is real, revoke it: it was sent to a provider. Then keep it out of the recording, in one of these ways:',
      '  - read it from an environment variable with a telling name, such as ACME_API_KEY or',
      '    ACME_TOKEN: <REDACTED:ACME_API_KEY> is stored, and replay agrees whatever the value is there',
      '  - describe it: redact: [/acme_[a-z0-9]{32}/], an option of cassettes() and configureCassettes();',
      '    use this also for a value that only looks like a credential',
      'and record the test again:',
      `  ${paint.bold(test.recordCommand)}`,
    ].join('\n'),
  }
}

/**
 * An explanation without secrets, whatever was quoted for it: errors of the network and of applications, addresses,
 * commands, prompts. What was laid out for it had none before; of what was only cut, the veil knows the pieces.
 */
export function hideInExplanation<Told extends Explanation>(session: Session, told: Told): Told {
  const veil = veilOf(session).learn(...shownOf(session))
  const { headline, details, cause, missed, ended } = told
  return {
    ...told,
    headline: veil.hide(headline),
    details: veil.hide(details),
    ...(cause
      ? {
          cause: {
            ...cause,
            key: veil.hide(cause.key),
            headline: veil.hide(cause.headline),
            advice: veil.hide(cause.advice),
          },
        }
      : {}),
    ...(missed ? { missed: veil.hide(missed) } : {}),
    ...(ended ? { ended: veil.hide(ended) } : {}),
  }
}

/** The texts of a verdict that are printed besides its failure, without secrets. */
export function hideInWarnings(session: Session, { handOvers = [], warning }: Verdict): string[] {
  const veil = veilOf(session).learn(...shownOf(session))
  return [...handOvers.map(({ details }) => details), warning ?? []]
    .flat()
    .map((one) => veil.hide(one))
}

/** What a failure may quote. */
function shownOf({ misses, asked, unused }: Session): unknown[] {
  return [
    ...misses.map(({ incoming, askedBy }) => [incoming.wire, askedBy ?? '']),
    ...asked.map(({ recording }) => [recording?.incoming.wire ?? '', recording?.response ?? '']),
    ...unused.map(({ exchange }) => exchange.prompt.text),
  ]
}
