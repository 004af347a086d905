import type { Cassette, Exchange } from '../cassette/cassette.ts'
import type { Mode } from '../config/mode.ts'
import type { Pace } from '../config/options.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { CassetteError } from '../errors.ts'
import type { DifferingCredential } from '../secrets/restore-plain-values.ts'
import type { WireResponse } from '../wire/message.ts'
import type { Conflict, ValuePair } from './bind.ts'
import type { Suggestion } from './match.ts'
import type { Incoming } from './incoming.ts'
import type { RareCases } from './rare-cases.ts'
import type { JudgeValidity, Recorded } from './recorded.ts'
import type { Recording } from './recording.ts'
import type { Flight } from '../replay/flights.ts'

/** The services that a session needs from its host. */
export interface SessionOptions {
  test: TestIdentity
  config: ResolvedConfig
  /** The number of the repeat of the test that this is; 1 by default. It has the exchanges of this sample alone. */
  sample?: number | undefined
  /** Reads the cassette; called at the first request. */
  load(mode: Mode): Cassette | undefined
  /** Loads the features that few attempts use. */
  rare(): RareCases
  /** Called before a call is sent and recorded; returns the reason where it must not be sent. */
  mayAsk?(asked: AskedRequest): CassetteError | undefined
  /** Keeps an answer that has arrived, until the cassette is written. */
  keep?(asked: AskedRequest, isLate: boolean): Promise<void>
  /** Says whether the cassette may still be replayed. */
  judge?: JudgeValidity
  /** The environment. Its values that are no secret here replace their placeholders in a recording. */
  env?: Record<string, string | undefined>
}

/** The test that a session belongs to, as messages show it. */
export interface TestIdentity {
  /** `<test file> > <suite> > <test>`. */
  id: string
  /** The path of the cassette, relative to the working directory. */
  cassette: string
  /** The folder of its images, relative to the working directory. */
  blobs: string
  /** The folder of pictures that nothing answers, relative to the working directory. */
  asked: string
  /** The command that records this test, and no other, again. */
  recordCommand: string
  /** What takes the options, where it is not Vitest: a program's `openCassette`, a command, or another test runner. */
  optionsOf?: 'openCassette' | 'command' | 'runner'
}

/** An answer of the cassette, how long a fault holds it back, and whether none has spoiled it. */
export interface ReplayAnswer {
  action: 'replay'
  response: WireResponse
  delayMs: number
  isWhole: boolean
  /** How long its chunks take, where they are held back: all of them, or each. */
  pace?: { allMs: number } | { eachMs: number }
  /** Its place among the responses in flight; absent where time decides. */
  flight?: Flight
}

/** How an option holds back the chunks of an answer that took some time when it was recorded. */
export function paceOf(pace: Pace, recordedMs: number = 0): Pick<ReplayAnswer, 'pace'> {
  if (pace === 'instant') return {}
  return { pace: pace === 'recorded' ? { allMs: recordedMs } : { eachMs: pace } }
}

/** The request is sent to its provider, and the answer is recorded. */
export interface RecordAnswer {
  action: 'record'
  recording: Recording
  /** Takes a promise that settles when the answer is kept. */
  done: (kept: Promise<void>) => void
}

/** The answer of a session to a request. */
export type Answer =
  | ReplayAnswer
  | RecordAnswer
  | { action: 'live' }
  | { action: 'refuse'; miss: Miss }

/** When and where the application made a request. */
export interface Origin {
  /** The number of the request in order of creation; the order of arrival can differ. */
  readonly order: number
  /** An error created where the application made the request. */
  readonly callSite?: Error
  /** The command line of the program that made it, where that is not the one of the test. */
  readonly askedBy?: string
  readonly way?: SlowWay | undefined
}

/**
 * What keeps a request from being replayed by its hash, however it is spelled: another client than Node's fetch, or
 * tests that run beside its own.
 */
export type SlowWay = 'client' | 'beside'

/** A replayed request that was not found by its hash. */
export interface SlowRequest {
  way?: SlowWay | undefined
  /** As it was sent; absent where nobody looks at it, or where the requests of the test are too long to be kept. */
  incoming?: Incoming | undefined
  /** Whether an exchange before the one that answered was not played yet. */
  isEarly?: boolean | undefined
  /** Whether the exchange had answered before. */
  isAgain: boolean
}

/** A request that was sent to the provider. */
export interface SentRequest {
  order: number
  replayed?: undefined
  forgiven?: undefined
  undeclared?: undefined
  kept?: undefined
  takesPrompt?: undefined
  speaker?: undefined
  recording: Recording
}

/** A request of this attempt that was replayed or sent to the provider. `order` is its number in order of creation. */
export type AskedRequest =
  | SentRequest
  | {
      order: number
      replayed: Exchange
      incoming: Incoming
      response: WireResponse
      /** The volatile values that differ from the recorded ones; absent where all are equal. */
      forgiven?: ValuePair[]
      /** The undeclared volatile values that differ; only a run of `doctor` replays such an exchange. */
      undeclared?: Suggestion
      /** The prompt changed, and the answer was kept; only in mode `prompts`. */
      kept?: true
      /** Nobody knew the prompt of the exchange, which takes over this one; `kept` is set too. */
      takesPrompt?: true
      /** The speaker of the test that gave the answer; no cassette contains it. */
      speaker?: string
      /** Set where it was not found by its hash. */
      slow?: SlowRequest
      recording?: undefined
    }

/** A request that no exchange answers. */
export interface Miss {
  /**
   * - `unmatched`: no exchange has this prompt, or all that have it were played
   * - `fault`: the cassette cannot be read
   * - `closed`: the test had ended
   */
  reason: 'unmatched' | 'fault' | 'closed'
  incoming: Incoming
  /** Set where the prompt was recorded, but its volatile values contradict earlier ones of this run. */
  conflict?: Conflict
  /** Set where the prompt was recorded, but with another credential for a server that the provider calls. */
  credential?: DifferingCredential
  /** Set where the prompt was recorded, but the test has to ask another one first. */
  turn?: Recorded
  /** Set in mode `prompts`: why the answer in its place is not kept for it. */
  notKept?: string
  /** Set where code that another test, or the file, has started made the request: the name of that. */
  starter?: string
  /** The tests that ran meanwhile, where the request may be for one of them. */
  running?: TestIdentity[]
  /** An error whose stack names the line that made the request, or that started the program which did. */
  callSite?: Error
  /** The command line of the program that asked, where the test had started it. */
  askedBy?: string
}
