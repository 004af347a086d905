import { type Cassette, isRecorded } from '../cassette/cassette.ts'
import type { RecordingFacts, RunStatistics } from '../config/option-values.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import { CassetteError } from '../errors.ts'
import { countOf } from '../text/count-of.ts'
import { escapePattern } from '../text/escape-pattern.ts'
import type { ValidityVerdict, Opinion } from '../engine/recorded.ts'

/** Reads the facts that strategies judge from a cassette. */
export function factsOf(cassette: Cassette, runs?: RunStatistics): RecordingFacts {
  const { conversationId: test, timestamp, oldestAnswer, exchanges, invalid } = cassette
  const recorded = exchanges.filter(isRecorded)
  const models = recorded.flatMap(({ prompt: { metadata } }) =>
    typeof metadata.model === 'string' ? metadata.model : [],
  )
  return {
    test,
    ...(recorded.length > 0 ? { recorded: new Date(oldestAnswer ?? timestamp) } : {}),
    models: [...new Set(models)],
    ...(invalid ? { invalid } : {}),
    ...(runs ? { runs } : {}),
  }
}

/**
 * Asks every strategy that an option names whether a recording is still valid. All give a verdict; one "no" makes the
 * recording invalid.
 *
 * @throws CassetteError `invalid-option` where a function of the user throws or returns no text.
 */
export function judgeValidity(
  recording: RecordingFacts,
  options: ValidityOptions,
  now: Date,
): ValidityVerdict[] {
  const verdicts: ValidityVerdict[] = []
  for (const [strategy, judge] of Object.entries(STRATEGIES)) {
    const option = OPTIONS[strategy]
    const value = option && options[option]
    const isAsked = Array.isArray(value) ? value.length > 0 : value !== undefined
    const opinion = !option || isAsked ? judge(recording, options, now) : undefined
    if (opinion) verdicts.push({ strategy, ...opinion })
  }
  return verdicts
}

/** The options that strategies look at. */
export type ValidityOptions = Pick<
  ResolvedConfig,
  'maxAge' | 'maxFailures' | 'retiredModels' | 'whyInvalid'
>

/** Tells whether a recording is still valid; `undefined` where no option asks for this strategy. */
type Strategy = (
  recording: RecordingFacts,
  options: ValidityOptions,
  now: Date,
) => Opinion | undefined

const DAY = 24 * 60 * 60 * 1_000

/** The options without which a strategy has nothing to judge. */
const OPTIONS: Readonly<Record<string, keyof ValidityOptions>> = {
  age: 'maxAge',
  failures: 'maxFailures',
  models: 'retiredModels',
  whyInvalid: 'whyInvalid',
}

/** By their names, in the order of their verdicts. */
const STRATEGIES: Readonly<Record<string, Strategy>> = {
  /** A person marked the recording as invalid, with `vitest-cassette invalidate`. */
  mark({ invalid }) {
    if (!invalid) return { valid: true, reason: 'it is not marked as invalid' }
    const since = invalid.since.slice(0, 10)
    return { valid: false, reason: `called invalid on ${since}: ${invalid.reason}` }
  },
  /** The oldest answer counts: one that was added yesterday makes the others no younger. */
  age({ recorded }, { maxAge }, now) {
    if (maxAge === undefined) return undefined
    if (!recorded) return { valid: true, reason: 'answers written by hand do not age' }
    const days = (now.getTime() - recorded.getTime()) / DAY
    const passed = countOf(Math.max(0, Math.floor(days)), 'day')
    return {
      valid: days <= maxAge,
      reason: `recorded ${passed} ago, on ${recorded.toISOString().slice(0, 10)}; the limit is ${maxAge}`,
    }
  },
  /** A test that no longer passes may have a recording that no longer fits. */
  failures({ runs }, { maxFailures }) {
    if (maxFailures === undefined) return undefined
    if (!runs) return { valid: true, reason: 'this machine knows no run of it' }
    const { failuresInARow: inARow, attempts } = runs
    return {
      valid: inARow <= maxFailures,
      reason: `${countOf(inARow, 'failure')} in a row, of ${countOf(attempts, 'attempt')}; the limit is ${maxFailures}`,
    }
  },
  /** The answers of a retired model say little about the application of today. */
  models({ models: asked }, { retiredModels }) {
    if (retiredModels.length === 0) return undefined
    const patterns = retiredModels.map(patternOf)
    const retired = asked.filter((model) => patterns.some((pattern) => pattern.test(model)))
    if (retired.length === 0) return { valid: true, reason: 'no model of it is retired' }
    const are = retired.length === 1 ? 'is' : 'are'
    return { valid: false, lasts: true, reason: `${retired.join(', ')} ${are} retired` }
  },
  /** A function of the user. An error or a wrong return value must not count as "valid". */
  whyInvalid(recording, { whyInvalid }) {
    if (!whyInvalid) return undefined
    const reason = ask(() => whyInvalid(recording))
    if (reason === undefined) return { valid: true, reason: 'no reason' }
    if (typeof reason === 'string' && reason.trim() !== '') return { valid: false, reason }
    const returned = reason === '' ? 'an empty text' : typeof reason
    throw fault(`whyInvalid returned ${returned}. It returns the reason as a text, or undefined.`)
  },
}

/** A name in which `*` stands for any text. */
function patternOf(name: string): RegExp {
  const pieces = name.split(/\*+/).map(escapePattern)
  return new RegExp(`^${pieces.join('.*')}$`, 's')
}

function ask(whyInvalid: () => unknown): unknown {
  try {
    return whyInvalid()
  } catch (error) {
    throw fault(`whyInvalid threw: ${String(error)}`, error)
  }
}

function fault(message: string, cause?: unknown): CassetteError {
  return new CassetteError('invalid-option', message, { cause })
}
