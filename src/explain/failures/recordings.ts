import { isRecorded } from '../../cassette/cassette.ts'
import { whyUnwritten } from '../../cassette/store.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import { lastWordFailures, type Recording } from '../../engine/recording.ts'
import type { Suggestion } from '../../engine/match.ts'
import type { TestIdentity } from '../../engine/session-contract.ts'
import type { Session } from '../../engine/session.ts'
import { CassetteError } from '../../errors.ts'
import type { OddExchange, Oddity } from '../../recording/odd-answers.ts'
import type { FoundSecret, FoundSecrets } from '../../secrets/find-secrets.ts'
import { safe } from '../../secrets/notes.ts'
import { printable } from '../../text/printable.ts'
import { isMcpAddress } from '../../wire/address.ts'
import { faultsLeftOut } from '../facts/faults-left-out.ts'
import { type RefusedKey, refusedKey } from '../facts/provider-keys.ts'
import { undeclaredIn } from '../facts/undeclared.ts'
import { type FailureKind, isSettledByRecording } from '../failure.ts'
import { askerOf, labelled, labelRequest, labelTest, LEFT, paint } from '../labelled.ts'
import { adviseOnSuggestion, headlineOfSuggestion } from './volatile.ts'

/** What is known of an attempt whose recording may not become the cassette. */
export class AttemptFacts {
  readonly session: Session
  /** Whether the test passed, apart from its requests. */
  readonly passed: boolean
  /** The requests that were sent. */
  readonly recordings: readonly Recording[]
  /** The first odd answer that is not saved. */
  readonly odd: OddExchange | undefined

  constructor(
    session: Session,
    passed: boolean,
    recordings: readonly Recording[],
    odd: OddExchange | undefined,
  ) {
    this.session = session
    this.passed = passed
    this.recordings = recordings
    this.odd = odd
  }

  get test(): TestIdentity {
    return this.session.test
  }

  /** The lines of the error that ended the attempt. */
  get fault(): string[] {
    return printable(this.session.fault!.message).split('\n')
  }

  /** The undeclared values that differ, in a run of `doctor`. */
  get undeclared(): Suggestion | undefined {
    return undeclaredIn(this.session)
  }

  /** The first request that reached nobody. */
  get unreachable(): Recording | undefined {
    return this.recordings.find(({ error }) => error)
  }

  /** The first error that was the last word on a request: an application may hide it from its test. */
  get failed(): Recording | undefined {
    return this.session.config.recordErrors ? undefined : lastWordFailures(this.recordings)[0]
  }

  /** The key that a provider refused. */
  get key(): RefusedKey | undefined {
    return this.failed && refusedKey(this.failed)
  }

  /** The recording of the odd answer. */
  get oddRecording(): Recording | undefined {
    const { exchange } = this.odd!
    return isRecorded(exchange)
      ? this.recordings.find(({ response }) => response === exchange.wire.response)
      : undefined
  }

  get recordCommand(): string {
    return `  ${paint.bold(this.test.recordCommand)}`
  }
}

/** The kinds of attempts that ended in an error, or whose recording is not saved; the first that holds. */
export const RECORDINGS: ReadonlyArray<FailureKind<AttemptFacts>> = [
  {
    name: 'refused',
    code: ({ session }) => session.fault!.code,
    when: ({ session }) => session.fault !== undefined,
    headline: ({ fault }) => fault[0]!,
    // Where the recording was refused, the first line is about the call, and the others about what to do.
    details: (facts) => [
      labelled('test', facts.test.id),
      ...(isOfRecording(facts) ? [facts.fault[1] ?? ''] : [restOfFault(facts, 1)]),
    ],
    advice: (facts) => (isOfRecording(facts) ? restOfFault(facts, 2) : ''),
    cause: (facts) =>
      isOfRecording(facts) ? { group: 'error', key: `refused ${facts.fault[0]}` } : undefined,
    more: ({ session: { fault, misses } }) => ({
      callSite: fault!.code === 'refused' ? fault : misses[0]?.callSite,
    }),
  },
  {
    // `doctor` makes no run green.
    name: 'undeclared',
    code: 'miss',
    when: ({ undeclared }) => undeclared !== undefined,
    headline: ({ undeclared }) => headlineOfSuggestion(undeclared!),
    details: ({ test, undeclared, session }) => [
      labelTest(test).join('\n'),
      adviseOnSuggestion(undeclared!, session, true),
    ],
  },
  {
    // Also if the test itself has failed, since an unreachable provider explains its error.
    name: 'unreachable',
    code: 'recording-failed',
    when: ({ unreachable }) => unreachable !== undefined,
    headline({ unreachable }) {
      const { incoming, error } = unreachable!
      const server = isMcpAddress(incoming.wire.url) ? 'MCP server' : 'provider'
      return `The ${server} could not be reached (${error!.message}${whyOf(error!)}), so nothing was recorded`
    },
    details: ({ unreachable, test }) => [
      [labelRequest(unreachable!.incoming), ...labelTest(test, LEFT)].join('\n'),
    ],
    advice: ({ unreachable, recordCommand }) =>
      whyOf(unreachable!.error!).includes('[MSW]')
        ? adviseMsw(unreachable!.incoming.wire.url)
        : `Record this test again when it can be reached:\n${recordCommand}`,
    cause: ({ unreachable }) => ({
      group: 'error',
      key: `unreachable ${unreachable!.error!.message}${whyOf(unreachable!.error!)}`,
    }),
    more: ({ unreachable }) => ({ callSite: unreachable!.callSite }),
  },
  {
    name: 'refused-key',
    code: 'recording-failed',
    when: ({ key }) => key !== undefined,
    headline: (facts) => `The provider refused ${facts.key!.name}: it ${whatWasAnswered(facts)}`,
    details: (facts) => [
      describeFailed(facts),
      `${facts.key!.advice} Only if the ${askerOf(facts.test)} is about this error, set the option recordErrors: true.`,
    ],
    cause: (facts) => ({ group: 'error', key: `refused-key ${nameOfKey(facts)}` }),
    more: (facts) => ({ callSite: facts.failed!.callSite, refused: nameOfKey(facts) }),
  },
  {
    name: 'error',
    code: 'recording-failed',
    when: ({ failed }) => failed !== undefined,
    headline: (facts) => `The provider ${whatWasAnswered(facts)}`,
    details: (facts) => [
      describeFailed(facts),
      `If the ${askerOf(facts.test)} needs this error, as that of a fallback does, set the option recordErrors: true.`,
    ],
    more: ({ failed }) => ({ callSite: failed!.callSite }),
  },
  {
    name: 'odd',
    code: 'recording-failed',
    when: ({ odd }) => odd !== undefined,
    headline(facts) {
      const said = headlineOfOdd(facts)
      return facts.passed ? `${said}, which is not saved in the place of a good answer` : said
    },
    details: ({ odd, test }) => [
      [
        labelled('request', printable(requestOf(odd!))),
        labelled('answer', shownAnswer(odd!)),
        ...labelTest(test, LEFT),
      ].join('\n'),
    ],
    advice: ({ passed, test, recordCommand }) =>
      [
        'Look at the address, the model and the answer above. Then record again:',
        recordCommand,
        ...(passed
          ? [
              `Only if the ${askerOf(test)} is about this answer, delete the old recording first:`,
              `  ${paint.bold(`rm ${test.cassette}`)}`,
            ]
          : []),
      ].join('\n'),
    // Each is shown, with its answer.
    cause: () => ({ group: 'error' }),
    more: ({ oddRecording }) => ({ callSite: oddRecording?.callSite }),
  },
  {
    name: 'faults-left-out',
    code: 'unused',
    when: ({ passed, session }) => !passed && faultsLeftOut(session) !== '',
    headline: ({ session }) =>
      `Its faults were left out while recording, so what it asserts of them could not hold: ${faultsLeftOut(session)}`,
    details({ test, recordings }) {
      const way =
        recordings.length > 0
          ? `accept the answers, and run it again without RECORD:\n  ${paint.bold('npx vitest-cassette review')}`
          : 'run it again without RECORD.'
      return [labelTest(test, LEFT).join('\n'), `If nothing else failed, ${way}`]
    },
  },
]

function isOfRecording({ session }: AttemptFacts): boolean {
  return session.fault!.code === 'recording-refused'
}

function restOfFault({ fault, session, recordCommand }: AttemptFacts, from: number): string {
  const command = isSettledByRecording(session.fault!.code) ? [recordCommand] : []
  return [...fault.slice(from), ...command].join('\n')
}

function whyOf({ cause }: Error): string {
  return cause instanceof Error ? `: ${cause.message}` : ''
}

/** An MSW server of the user that treats unknown requests as errors also does so for those of a recording. */
function adviseMsw(url: string): string {
  const handler = `http.all('${new URL(url).origin}/*', () => passthrough())`
  return `An MSW server of your own treats it as an error. Let it pass there:\n  ${handler}`
}

function whatWasAnswered({ failed }: AttemptFacts): string {
  return `answered ${failed!.response!.status}, which is not saved as its last word`
}

function nameOfKey({ key, failed }: AttemptFacts): string {
  return `${key!.name} (${failed!.response!.status})`
}

function describeFailed({ failed, test }: AttemptFacts): string {
  const { incoming, response } = failed!
  const said = dialectFor(incoming).readCompletion(response!).error
  return [
    labelRequest(incoming),
    labelled('answer', said ?? `status ${response!.status}`),
    ...labelTest(test, LEFT),
  ].join('\n')
}

/** How a headline names an odd answer of each kind. */
const ODD: Record<Oddity['kind'], (what: string, who: string) => string> = {
  error: (what, who) => `The ${who} answered ${what.split(' ')[0]}`,
  broken: (_, who) => `The ${who} stopped in the middle of its answer`,
  foreign: (what, who) => `The ${who} answered with ${what}, which no model writes`,
}

function headlineOfOdd({ odd }: AttemptFacts): string {
  const { kind, what, exchange } = odd!
  const url = isRecorded(exchange) ? exchange.wire.request.url : ''
  return ODD[kind](what, isMcpAddress(url) ? 'server' : 'provider')
}

function requestOf({ exchange }: OddExchange): string {
  const { method, url } = isRecorded(exchange) ? exchange.wire.request : { method: '', url: '' }
  return `${method} ${url}`
}

/** The most characters of an answer that are shown. */
const MAX_SHOWN = 200

function shownAnswer({ exchange, what }: OddExchange): string {
  const said = safe(what || exchange.response.text)
  const text = printable(said.replace(/\s+/g, ' ').trim())
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text || 'empty'
}

/** A recording that seems to hold a credential. */
export interface SecretFacts extends FoundSecrets {
  test: TestIdentity
  /** The request with the first of them, if this attempt recorded it. */
  callSite: Error | undefined
}

/** The number of places that are shown. */
const MAX_PLACES = 5

/** A recording with a credential. */
export const SECRETS: ReadonlyArray<FailureKind<SecretFacts>> = [
  {
    name: 'secret',
    code: 'secret',
    when: ({ secrets }) => secrets.length > 0,
    headline({ secrets, more }) {
      const [{ rule, pointer }] = secrets as [FoundSecret]
      const count = secrets.length + more
      const others = count > 1 ? `, and ${count - 1} more` : ''
      return `The recording seems to hold a credential, so it is not saved: ${rule} at ${pointer}${others}`
    },
    details({ test, secrets, more }) {
      const shown = secrets
        .slice(0, MAX_PLACES)
        .map((secret) =>
          labelled('found', `${secret.pointer}: ${secret.masked}, by the rule ${secret.rule}`),
        )
      const left = secrets.length + more - shown.length
      const rest = left > 0 ? [labelled('', paint.dim(`and ${left} more`))] : []
      return [[...labelTest(test, LEFT), ...shown, ...rest].join('\n')]
    },
    advice: ({ test }) =>
      [
        'If it is real, revoke it: it was sent to a provider. Then keep it out of the recording, in one of these ways:',
        '  - read it from an environment variable with a telling name, such as ACME_API_KEY or',
        '    ACME_TOKEN: <REDACTED:ACME_API_KEY> is stored, and replay agrees whatever the value is there',
        '  - describe it: redact: [/acme_[a-z0-9]{32}/], an option of cassettes() and configureCassettes();',
        '    use this also for a value that only looks like a credential',
        'and record the test again:',
        `  ${paint.bold(test.recordCommand)}`,
      ].join('\n'),
    more: ({ callSite }) => ({ callSite }),
  },
]

/** A recording that could not be written, or that no replay will read. */
export interface UnwrittenFacts {
  test: TestIdentity
  /** Why it could not be written. */
  error?: Error
  /** The path of its answers; absent where they could not be kept either. */
  kept?: string | undefined
  /** Why no replay will read it. */
  tooLarge?: string
}

/** The kinds of recordings that no replay will read. */
export const UNWRITTEN: ReadonlyArray<FailureKind<UnwrittenFacts>> = [
  {
    name: 'too-large',
    code: 'unwritten',
    when: ({ tooLarge }) => tooLarge !== undefined,
    headline: ({ test, tooLarge }) =>
      `${test.cassette} was written, but no replay will read it: ${tooLarge}`,
    details: ({ test }) => [
      labelTest(test).join('\n'),
      'Raise the option maxCassetteBytes, or ask for less in this test.',
    ],
  },
  {
    name: 'unwritten',
    code: 'unwritten',
    when: ({ error }) => error !== undefined,
    headline: ({ error }) => `The cassette could not be written: ${whyUnwritten(error!)[0]}`,
    details: ({ test, error, kept }) => [
      [
        ...labelTest(test, LEFT),
        ...(CassetteError.isInstance(error) ? [] : [labelled('error', error!.message)]),
        ...(kept === undefined ? [] : [labelled('kept in', kept)]),
      ].join('\n'),
    ],
    advice({ test, error, kept }) {
      const [, wayOut] = whyUnwritten(error!)
      return kept === undefined
        ? `The folder node_modules/.cache could not be written either, so the answers are lost. ${wayOut}, and record the test again:\n  ${paint.bold(test.recordCommand)}`
        : `${wayOut}, and bring the answers back without asking for them again:\n  ${paint.bold('npx vitest-cassette recover')}`
    },
  },
]
