import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RedactRule } from '../../config/options.ts'
import { CassetteError } from '../../errors.ts'
import { configWords, projectsHavePlugin, listTests } from '../programs/run-vitest.ts'
import type { Terminal } from '../terminal/command.ts'
import { invalidCommand, type OptionValues, textOption, textOptions } from '../terminal/options.ts'
import type { ForeignRecording } from './foreign.ts'
import { type MadeCassette, makeCassette } from './make-cassette.ts'
import { matchTests } from './match-tests.ts'
import { explainSecret } from './refused-secret.ts'
import { type KnownTest, knownTests, readMappings, type Target, targetsIn } from './targets.ts'

/** What becomes of recordings. */
export interface Plan {
  /** What was read, with recordings of which nothing is left. */
  recordings: readonly ForeignRecording[]
  /** In the order of the files. */
  rows: PlannedRecording[]
  cassettes: PlannedCassette[]
  /** How many tests are known: those of a project with the plugin. Or Vitest could not list them. */
  tests: number | 'failed'
}

export interface PlannedRecording {
  recording: ForeignRecording
  /** Absent where no test is found for it, and no other place was named. */
  target?: Target
  /** The tests that it could be for. */
  candidates: KnownTest[]
}

export interface PlannedCassette extends MadeCassette {
  target: Target
  recordings: ForeignRecording[]
  /** Set for a test, which can be run. */
  test?: KnownTest
  /** Why it is not written; absent where it is. */
  kept?: string
}

/** Finds the test of each recording, and makes its cassette. */
export async function planCassettes(
  all: readonly ForeignRecording[],
  values: OptionValues,
  terminal: Terminal,
): Promise<Plan> {
  const whole = all.map(withoutUnanswered)
  const recordings = whole.filter(({ exchanges }) => exchanges.length > 0)
  const to = textOption(values, 'to')
  const listed =
    recordings.length === 0 || to?.endsWith('.json') ? [] : await testsOf(values, terminal)
  const tests = listed ?? []
  const lines = mappingLines(values, terminal)
  const mapped = new Map(
    readMappings(lines, recordings, tests).map(({ recording, test }) => [recording, test]),
  )
  const taken = new Set(mapped.values())
  const { found, ambiguous } = matchTests(
    recordings.filter((one) => !mapped.has(one)),
    tests.filter((one) => !taken.has(one)),
  )
  const testFor = (one: ForeignRecording): KnownTest | undefined =>
    mapped.get(one) ?? found.get(one)
  const rest = recordings.filter((one) => !testFor(one))
  const others =
    to === undefined ? new Map<ForeignRecording, Target>() : targetsIn(to, rest, terminal)
  const rows = recordings.map((recording): PlannedRecording => {
    const target = testFor(recording) ?? others.get(recording)
    return { recording, candidates: ambiguous.get(recording) ?? [], ...(target ? { target } : {}) }
  })
  const cassettes = makeAll(rows, new Set(tests), values, terminal)
  return { recordings: whole, rows, cassettes, tests: listed?.length ?? 'failed' }
}

/**
 * The tests of the project; none where the plugin is missing, or also Vitest if a place is named; `undefined` if Vitest
 * cannot list them.
 */
async function testsOf(values: OptionValues, terminal: Terminal): Promise<KnownTest[] | undefined> {
  try {
    const words = configWords(values)
    // Without the plugin, nobody knows where their cassettes would be.
    if ((await projectsHavePlugin(words, terminal)) === false) return []
    const listed = await listTests(words, terminal)
    return listed && knownTests(listed.tests, listed.folders, terminal)
  } catch (error) {
    if (!CassetteError.isInstance(error) || values.to === undefined) throw error
    return []
  }
}

function mappingLines(values: OptionValues, { cwd }: Terminal): string[] {
  const file = textOption(values, 'map-file')
  if (file !== undefined && !existsSync(resolve(cwd, file)))
    throw invalidCommand(`There is no file ${file}.`)
  const text = file === undefined ? '' : readFileSync(resolve(cwd, file), 'utf8')
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return [...textOptions(values, 'map'), ...lines]
}

function makeAll(
  rows: readonly PlannedRecording[],
  tests: ReadonlySet<Target>,
  values: OptionValues,
  terminal: Terminal,
): PlannedCassette[] {
  const byTarget = Map.groupBy(
    rows.filter(({ target }) => target),
    ({ target }) => target!,
  )
  const fewHeaders = values['few-headers'] === true
  const making = { env: terminal.env, redact: readRules(values), fewHeaders, now: new Date() }
  return Array.from(terminal.progress.over([...byTarget], 'cassettes made'), ([target, those]) => {
    const recordings = those.map(({ recording }) => recording)
    const make = (...more: RedactRule[]): MadeCassette =>
      makeCassette(recordings, target.title, { ...making, redact: [...making.redact, ...more] })
    const made = make()
    const kept = whyKept(made, make, target, values, terminal)
    return {
      ...made,
      target,
      recordings,
      ...(tests.has(target) ? { test: target as KnownTest } : {}),
      ...(kept === undefined ? {} : { kept }),
    }
  })
}

/**
 * Why a cassette must not be written.
 *
 * @param make makes it with one more rule for credentials
 */
export function whyKept(
  { secret, cassette }: MadeCassette,
  make: (rule: RedactRule) => MadeCassette,
  { shown }: Target,
  values: OptionValues,
  { cwd }: Terminal,
): string | undefined {
  if (secret)
    return explainSecret(secret, cassette, (rule) => {
      const left = make(rule).secret
      return left?.pointer !== secret.pointer || left.masked !== secret.masked
    })
  const isThere = existsSync(resolve(cwd, shown))
  return isThere && values.force !== true ? 'it exists: replace it with --force' : undefined
}

/** The rules of `--redact`. */
export function readRules(values: OptionValues): RedactRule[] {
  return textOptions(values, 'redact').map((source) => {
    try {
      return new RegExp(source.replace(/^\/(.*)\/$/s, '$1'))
    } catch (error) {
      throw invalidCommand(`--redact ${source}: ${(error as Error).message}`)
    }
  })
}

/** A recording without calls that no final answer came to, such as one that the network broke off. */
function withoutUnanswered(recording: ForeignRecording): ForeignRecording {
  const exchanges = recording.exchanges.filter(
    ({ response: { status } }) => Number.isInteger(status) && status >= 200 && status <= 599,
  )
  const count = recording.exchanges.length - exchanges.length
  if (count === 0) return recording
  return { ...recording, exchanges, leftOut: new Map([...recording.leftOut, [UNANSWERED, count]]) }
}

const UNANSWERED = 'a call without an answer'
