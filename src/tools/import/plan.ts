import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import type { RedactRule } from '../../config/option-values.ts'
import { CassetteError } from '../../errors.ts'
import { configWords, projectsHavePlugin, listTests } from '../programs/run-vitest.ts'
import type { Terminal } from '../terminal/command.ts'
import { invalidCommand, type OptionValues, textOption, textOptions } from '../terminal/options.ts'
import type { KnownRecording } from './known-recording.ts'
import {
  type CassetteFacts,
  countFacts,
  type MadeCassette,
  makeCassette,
  type Making,
  NO_FACTS,
} from './make-cassette.ts'
import { matchTests } from './match-tests.ts'
import { type KnownTest, knownTests, readMappings, type Target, targetsIn } from './targets.ts'
import { encodeTexts } from '../../cassette/encode.ts'
import { quoteWord } from '../../text/command-line.ts'
import { keysOfPointer } from '../../json/json-pointer.ts'
import type { FoundSecret } from '../../secrets/find-secrets.ts'
import { textsOfExchanges } from '../../secrets/texts-of-cassette.ts'

/** What becomes of recordings. */
export interface Plan {
  /** What was read, with recordings of which nothing is left. */
  recordings: readonly KnownRecording[]
  /** In the order of the files. */
  rows: PlannedRecording[]
  cassettes: PlannedCassette[]
  /** How many tests are known: those of a project with the plugin. Or Vitest could not list them. */
  tests: number | 'failed'
}

export interface PlannedRecording {
  recording: KnownRecording
  /** It, and the other parts of its file that go with it. */
  parts: KnownRecording[]
  /** Absent where no test is found for it, and no other place was named. */
  target?: Target
  /** The tests that it could be for. */
  candidates: KnownTest[]
}

/** A cassette, which is not held: what is told of it. */
export interface PlannedCassette {
  target: Target
  recordings: KnownRecording[]
  facts: CassetteFacts
  /** Set for a test, which can be run. */
  test?: KnownTest
  /** Why it is not written; absent where it is. */
  kept?: string
}

/** Writes a cassette, or says why it cannot. */
export type WriteCassette = (target: Target, cassette: Cassette) => Promise<string | undefined>

/**
 * Finds the test of each recording, and makes its cassette, one after the other: none is held.
 *
 * @param write absent where nothing is to be written
 */
export async function planCassettes(
  all: readonly KnownRecording[],
  values: OptionValues,
  terminal: Terminal,
  write?: WriteCassette,
): Promise<Plan> {
  const recordings = all.filter(({ calls }) => calls.length > 0)
  const to = textOption(values, 'to')
  const files = partsOfFiles(recordings, to !== undefined && !to.endsWith('.json'))
  const firsts = files.map(([first]) => first!)
  const listed =
    recordings.length === 0 || to?.endsWith('.json') ? [] : await testsOf(values, terminal)
  const tests = listed ?? []
  const lines = mappingLines(values, terminal)
  const mapped = new Map(
    readMappings(lines, firsts, tests).map(({ recording, test }) => [recording, test]),
  )
  const taken = new Set(mapped.values())
  const { found, ambiguous } = matchTests(
    firsts.filter((one) => !mapped.has(one)),
    tests.filter((one) => !taken.has(one)),
  )
  const testFor = (one: KnownRecording): KnownTest | undefined => mapped.get(one) ?? found.get(one)
  const rest = firsts.filter((one) => !testFor(one))
  const others =
    to === undefined ? new Map<KnownRecording, Target>() : targetsIn(to, rest, terminal)
  const rows = files.map((parts): PlannedRecording => {
    const [first] = parts as [KnownRecording]
    const target = testFor(first) ?? others.get(first)
    const candidates = ambiguous.get(first) ?? []
    return { recording: first, parts, candidates, target }
  })
  const cassettes = await makeAll(rows, new Set(tests), values, terminal, write)
  return { recordings: all, rows, cassettes, tests: listed?.length ?? 'failed' }
}

const MB = 1024 * 1024

/** The most that goes into one cassette, of the bodies of its calls: making it takes eight times as much memory. */
const MOST_BYTES = 64 * MB

/** More than this goes into several cassettes, where they can be several: tests read none that is larger. */
const MOST_READ_BYTES = 32 * MB

/** The parts of each file. In a folder, those of a file that is too large for one cassette stand alone. */
function partsOfFiles(
  recordings: readonly KnownRecording[],
  isFolder: boolean,
): KnownRecording[][] {
  const files: KnownRecording[][] = []
  for (const recording of recordings) {
    if (recording.part === 0 || files.length === 0) files.push([])
    files.at(-1)!.push(recording)
  }
  const isApart = (parts: KnownRecording[]): boolean =>
    isFolder && sizeOfAll(parts) > MOST_READ_BYTES
  return files.flatMap((parts) => (isApart(parts) ? parts.map((one) => [one]) : [parts]))
}

function sizeOfAll(recordings: readonly KnownRecording[]): number {
  return recordings.reduce((sum, { size }) => sum + size, 0)
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

async function makeAll(
  rows: readonly PlannedRecording[],
  tests: ReadonlySet<Target>,
  values: OptionValues,
  terminal: Terminal,
  write?: WriteCassette,
): Promise<PlannedCassette[]> {
  const byTarget = Map.groupBy(
    rows.filter(({ target }) => target),
    ({ target }) => target!,
  )
  const fewHeaders = values['drop-volatile-headers'] === true
  const making = { env: terminal.env, redact: readRules(values), fewHeaders, now: new Date() }
  const cassettes: PlannedCassette[] = []
  for (const [target, those] of terminal.progress.over([...byTarget], 'cassettes made')) {
    const recordings = those.flatMap(({ parts }) => parts)
    const { facts, kept } = await makeOne(target, recordings, making, values, terminal, write)
    const test = tests.has(target) ? (target as KnownTest) : undefined
    cassettes.push({ target, recordings, facts, test, kept })
  }
  return cassettes
}

/** Makes a cassette, and lets go of it. */
async function makeOne(
  target: Target,
  recordings: readonly KnownRecording[],
  making: Making & { redact: RedactRule[] },
  values: OptionValues,
  terminal: Terminal,
  write?: WriteCassette,
): Promise<Pick<PlannedCassette, 'facts' | 'kept'>> {
  const size = sizeOfAll(recordings)
  if (size > MOST_BYTES) return { facts: NO_FACTS, kept: whyTooLarge(size) }
  const read = recordings.map((one) => ({ ...one, exchanges: one.exchanges() }))
  const make = (...more: RedactRule[]): MadeCassette =>
    makeCassette(read, target.title, { ...making, redact: [...making.redact, ...more] })
  const made = make()
  const kept =
    whyKept(made, make, target, values, terminal) ?? (await write?.(target, made.cassette))
  return { facts: countFacts(made), kept }
}

function whyTooLarge(size: number): string {
  const [all, most] = [size, MOST_BYTES].map((bytes) => Math.floor(bytes / MB))
  return (
    `the bodies of its calls have ${all} MB, and one cassette takes ${most} MB of them. ` +
    'Record fewer calls at once, or make a cassette of each part: --to <folder>'
  )
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

export function readRules(values: OptionValues): RedactRule[] {
  return textOptions(values, 'redact').map((source) => {
    try {
      return new RegExp(source.replace(/^\/(.*)\/$/s, '$1'))
    } catch (error) {
      throw invalidCommand(`--redact ${source}: ${(error as Error).message}`)
    }
  })
}
/**
 * Says where a credential stands because of which a cassette is not written, and the option that replaces it.
 *
 * @param isSettledBy whether a rule replaces it, and not only what it decodes to
 */
function explainSecret(
  { pointer, rule, masked }: FoundSecret,
  cassette: Cassette,
  isSettledBy: (rule: RegExp) => boolean,
): string {
  const [, index = '', part = '', ...field] = keysOfPointer(pointer)
  const isOfAnswer = part === 'response' || field[0] === 'response'
  const exchange = cassette.exchanges[Number(index)]
  const place = exchange
    ? `the ${isOfAnswer ? 'answer' : 'request'} of ${exchange.id}, at ${pointer}`
    : pointer
  const found = `it holds what looks like a credential: ${masked}, by the rule ${rule}, in ${place}`
  const pattern = tokensAt(pointer, cassette)
    .map(patternOf)
    .find((one) => isSettledBy(RegExp(one)))
  return pattern === undefined
    ? `${found}. No pattern finds it there: take it out of the file`
    : `${found}. If it is real, revoke it. To replace it:\n  --redact ${quoteWord(`/${pattern}/`)}`
}

/** The most that are tried: for each, a cassette is made. */
const MOST_TRIES = 4

/** What may be a credential at a place, as it is spelled there: it can be encoded. The longest first. */
function tokensAt(pointer: string, cassette: Cassette): string[] {
  const tokens = textsOfExchanges(encodeTexts(cassette), cassette.exchanges)
    .filter((text) => text.pointer === pointer)
    .flatMap(({ text }) => text.match(/[\w+/=.~%-]{8,}/g) ?? [])
  return [...new Set(tokens)].sort((one, other) => other.length - one.length).slice(0, MOST_TRIES)
}

/** The kinds of characters of which credentials consist. */
const CLASSES = ['[0-9a-f]', '[A-Za-z0-9]', String.raw`[\w-]`, String.raw`[\w+/=-]`]

/** A pattern of the form of a text: it shows no more of it than the first characters. */
function patternOf(text: string): string {
  const shown = Math.min(6, Math.floor(text.length / 5))
  const rest = text.slice(shown)
  const kind = CLASSES.find((one) => RegExp(`^${one}+$`).test(rest)) ?? String.raw`\S`
  const start = text.slice(0, shown).replaceAll(/[^\w-]/g, String.raw`\$&`)
  return `${start}${kind}{${rest.length}}`
}
