import type { Cassette } from '../cassette/cassette.ts'
import { encodeTexts } from '../cassette/encode.ts'
import type { Session } from '../engine/session.ts'
import { findAddresses } from '../secrets/find-addresses.ts'
import { findSecrets, type FoundSecret } from '../secrets/find-secrets.ts'
import { keptNames, withoutKept } from '../secrets/redactions.ts'
import { veilOf } from '../secrets/veil.ts'
import { decideFailure, type Failure, type RenderedFailure } from './failure.ts'
import { SECRETS } from './failures/recordings.ts'
import { type AttemptOutcome, judgeAttempt, type Verdict } from './judge-attempt.ts'
import { renderFailure, withoutColors } from './render-failure.ts'

/** The number of addresses that are shown. */
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
    const callSite = callSiteOf(session, save, found.secrets[0]!)
    const failure = decideFailure(SECRETS, { ...found, test: session.test, callSite })!
    return { ...rest, park: save, isUseless: true, failure }
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

/**
 * A failure without secrets, whatever was quoted for it: errors of the network and of applications, addresses, commands,
 * prompts. What was laid out for it had none before; of what was only cut, the veil knows the pieces.
 */
function hideInFailure(session: Session, failure: Failure): Failure {
  const { headline, details, advice, notes, cause, missed, ended } = failure
  const veil = veilOf(session).learn(...shownOf(session))
  const shown = veil.hide({ headline, details, advice, notes, missed, ended, same: cause?.key })
  const { same: key, ...texts } = shown
  return { ...failure, ...texts, ...(key === undefined ? {} : { cause: { ...cause!, key } }) }
}

/** Lays a failure out as its runner reports it, without secrets. */
export function renderSafely(session: Session, failure: Failure, color: boolean): RenderedFailure {
  // Escapes that paint a text can look like a part of a credential.
  const shown = color ? failure : withoutColors(failure)
  return renderFailure(hideInFailure(session, shown), color)
}

/** The texts of a verdict that are printed besides its failure, without secrets. */
export function hideInWarnings(session: Session, { handOvers = [], warning }: Verdict): string[] {
  const veil = veilOf(session).learn(...shownOf(session))
  return [...handOvers.map(({ text }) => text), warning ?? []].flat().map((one) => veil.hide(one))
}

/** What a failure may quote. */
function shownOf({ misses, asked, unused }: Session): unknown[] {
  return [
    ...misses.map(({ incoming, askedBy }) => [incoming.wire, askedBy ?? '']),
    ...asked.map(({ recording }) => [recording?.incoming.wire ?? '', recording?.response ?? '']),
    ...unused.map(({ exchange }) => exchange.prompt.text),
  ]
}
