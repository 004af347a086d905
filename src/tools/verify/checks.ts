import { inMode, quoteWord, RECORD_COMMAND } from '../../text/command-line.ts'
import { dirname, posix } from 'node:path'
import stableStringify from 'fast-json-stable-stringify'
import {
  type Cassette,
  type Exchange,
  isRecorded,
  type RecordedExchange,
  type ToolCallSummary,
} from '../../cassette/cassette.ts'
import {
  asUnix,
  editedResponses,
  hashesAt,
  isEdited,
  printCassette,
  spellUnseen,
  type StoredCassette,
} from '../../cassette/format.ts'
import { isCountedHere } from '../../prompt/request-hash.ts'
import { pathFrom } from '../../config/paths.ts'
import { cassettePaths, type FolderEntry, isCassettePath } from '../../cassette/paths.ts'
import type { TestPlace } from '../../cassette/test-place.ts'
import { matchesHost } from '../../config/hosts.ts'
import { readIncoming } from '../../engine/incoming.ts'
import { strayLocations } from '../../engine/followed-addresses.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import { factsOf, judgeValidity } from '../../features/judge-validity.ts'
import { type JsonObject, type JsonValue, tryParseJson } from '../../json/json-value.ts'
import { describeTurns } from '../../recording/describe.ts'
import { oddityOf, type Oddity } from '../../recording/odd-answers.ts'
import { wrongRequests } from '../../recording/wrong-hashes.ts'
import { findSecrets } from '../../secrets/find-secrets.ts'
import { writeOut } from '../../text/printable.ts'
import { isUnasked } from '../../wire/imported.ts'
import { SET_COOKIE } from '../../wire/message.ts'
import { hideCookie } from '../../wire/read-body.ts'
import { unseenIn } from '../../text/unseen.ts'
import { describeImported } from '../sources/imported.ts'
import { testPlacesOf } from '../sources/test-places.ts'
import type { OpenedCassette } from '../../cassette/reader.ts'
import { TestFiles } from '../../cassette/orphans.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { Statistics } from '../../features/run-statistics.ts'
import { isSameButSpace, withoutSpace } from '../../json/layout.ts'
import type { Remark } from './verify-cassettes.ts'

export interface CheckedCassette extends OpenedCassette {
  /** Below the cassette folder. */
  path: string
  /** From the root of the project, with forward slashes. */
  file: string
}

export interface Circumstances {
  config: ResolvedConfig
  /** The statistics of the runs on this machine. */
  statistics: Statistics
  now: Date
}

type CassetteCheck = (
  cassette: CheckedCassette,
  circumstances: Circumstances,
) => Remark[] | Promise<Remark[]>

/** The cassette folder, and the contents read from it. */
interface CheckedFolder {
  /** The root of the project. */
  root: string
  entries: readonly FolderEntry[]
  /** The paths of the cassettes below the folder. */
  cassettes: readonly string[]
  /** The cassettes that a program opened by their path, and no test. */
  ofPrograms: ReadonlySet<string>
  /** The names of the files in `blobs/` that cassettes refer to. */
  blobs: ReadonlySet<string>
  /** True when every cassette was read, so that a file without a reference is superfluous. */
  isComplete: boolean
}

/** The checks of each cassette by their names, in the order of the report. */
export const CASSETTE_CHECKS: Readonly<Record<string, CassetteCheck>> = {
  /**
   * Every cassette is printed in one way. An invisible character shows a reviewer content that is not replayed.
   */
  form({ text, stored, cassette }) {
    const unix = asUnix(text)
    if (!cassette.exchanges.every(isRecorded)) return findInWritten(unix, stored)
    const printed = printCassette(stored)
    if (unix !== printed) {
      const line = firstDifference(unix, printed)
      if (isSameButSpace(unix, printed)) return [{ line, problem: FORMATTED }]
      return [{ line, problem: `${describeLine(unix.split('\n')[line - 1] ?? '')} ${RESTORE}` }]
    }
    if (text === printed) return []
    const what = text.startsWith('\uFEFF')
      ? 'It begins with a byte order mark'
      : 'Its lines end in CRLF'
    const problem = `${what}, which changes no hash. Let git keep the file as it is with: npx vitest-cassette init --yes`
    return [{ severity: 'warning', problem }]
  },

  /** The title of a cassette has to be the name of the test to which the file belongs. */
  title(cassette) {
    const { path, stored } = cassette
    const { conversation_id: id } = stored
    if (isOfProgram(cassette)) return []
    if (testPlacesOf(id).some((place) => isNamedFor(place, path))) return []
    const problem =
      'The test that it names looks for its cassette elsewhere: it was renamed or edited.'
    return [{ place: '/conversation_id', severity: 'warning', problem }]
  },

  /** Matching never trusts the stored hash; a wrong one shows that the recorded request was edited. */
  'prompt-hash'({ stored, cassette }) {
    if (stored.hashes && !isCountedHere(stored)) return [OTHER_RULES]
    return Array.from(wrongRequests(stored, cassette), ([index, { counted, isMissing }]) => {
      const problem = isMissing
        ? 'The request has no hash, so an edit of it would go unnoticed.'
        : `The hash is not that of the recorded request, which has ${counted}: one of them was edited.`
      return { place: `/exchanges/${index}/request`, problem: `${problem} ${RESTORE}` }
    })
  },

  /** An edited answer drives the code under test, tools included, with content that no model wrote. */
  'answer-hash'({ stored, cassette }) {
    // A written answer is meant to be edited.
    const edited = editedResponses(stored)
    return findInRecorded(cassette, (exchange, place, index) => {
      const isSet = holdsCookie(exchange.wire.response.headers[SET_COOKIE])
      const isHashed = Boolean(hashesAt(stored, index)[2])
      if (isHashed && !edited.includes(index))
        return isSet
          ? [{ place: `${place}/response/sent/headers/${SET_COOKIE}`, problem: COOKIE }]
          : []
      const problem = isHashed
        ? `The answer was edited after it was recorded.${describeCalls(exchange)}`
        : 'The answer has no hash, so an edit of it would go unnoticed.'
      return [{ place: `${place}/response`, problem: `${problem} ${RESTORE}` }]
    })
  },

  /** Reviewers read `prompt` and `response`, but replay uses `request` and `sent`. Both have to say the same. */
  'readable-half'({ cassette }) {
    const described = describeTurns(
      cassette.exchanges.map((exchange) => {
        if (!isRecorded(exchange)) return exchange
        const { request, response } = exchange.wire
        const { kept, mocked } = exchange.response
        return { incoming: readIncoming(request), response, kept, mocked }
      }),
    )
    return findInRecorded(cassette, (exchange, place, index) => [
      ...compareHalves(exchange, described[index]!, place),
      ...compareSpelling(exchange, place),
    ])
  },

  /** Clients follow a location on their own, with the prompt and often the key. Replay refuses it; a reviewer sees it. */
  redirects({ cassette }, { config }) {
    return strayLocations(cassette)
      .filter(({ lead }) => !matchesHost(lead.to, config.allowHosts))
      .map(({ index, lead: { asked, to } }) => ({
        place: `/exchanges/${index}/response/sent/headers/location`,
        problem:
          `The answer of ${new URL(asked.url).host} leads to ${to.host}, and nothing is recorded there. If somebody ` +
          'edited it, restore it from git. If it is meant, record the test again with RECORD=1, so that both are ' +
          `recorded, or name the host: --allow-hosts ${to.hostname}`,
      }))
  },

  /** The same scan that runs before a recording is saved, for cassettes that came another way. */
  async secrets({ stored, cassette }) {
    const { secrets: found, more } = findSecrets(stored, cassette.exchanges)
    const findings = found.map(({ pointer, rule, masked }) => ({
      place: pointer,
      problem: `It looks like a credential, ${masked}, by the rule ${rule}. If it is real, revoke it; then record the test again.`,
    }))
    if (more === 0) return findings
    return [...findings, { problem: `${more} more texts in it look like credentials.` }]
  },

  /** A recording that nobody edited can still be out of date. */
  validity({ cassette, file }, { config, statistics, now }) {
    const runs = statistics.runsOf(file, cassette.timestamp)
    const verdicts = judgeValidity(factsOf(cassette, runs), config, now)
    if (verdicts.every(({ valid }) => valid)) return []
    const said = verdicts.map(({ strategy, valid, reason }) => {
      return `${valid ? '✓' : '×'} ${strategy}: ${reason}`
    })
    const isMarked = verdicts.some(({ strategy, valid }) => strategy === 'mark' && !valid)
    const undo = isMarked
      ? `, or take the mark back: vitest-cassette invalidate --undo ${file}`
      : '.'
    return [
      {
        place: isMarked ? '/invalid' : '/timestamp',
        severity: config.invalid === 'fail' ? 'error' : 'warning',
        problem: `The recording is no longer valid. ${said.join('; ')}. Record the test again with RECORD=1${undo}`,
      },
    ]
  },

  /** No model has answered the present prompt of a kept answer. */
  'kept-answers'(checked) {
    const { cassette } = checked
    const problem = `The answer was given to another prompt, and kept when that changed. ${howToRecord(checked, ' --kept')}`
    return findInRecorded(cassette, ({ response }, place) =>
      response.kept ? [{ severity: 'warning', place: `${place}/response/kept`, problem }] : [],
    )
  },

  /** Such an answer can be meant, as in the test of how an application takes it. */
  'broken-answers'({ cassette }) {
    return findInRecorded(cassette, (exchange, place) => {
      const { kind } = oddityOf(exchange) ?? {}
      const problem = kind && BROKEN[kind]
      if (problem === undefined) return []
      return [{ severity: 'warning', place: `${place}/response/sent`, problem }]
    })
  },

  /** No model has given what a mock answered. */
  'mocked-answers'({ cassette }) {
    const problem =
      'A mock, such as nock, gave the answer while it was recorded. Take the mock away, and record the test again.'
    return findInRecorded(cassette, ({ response }, place) =>
      response.mocked ? [{ severity: 'warning', place: `${place}/response/mocked`, problem }] : [],
    )
  },

  /** Unknown parts are not compared, so more than one request can match. */
  imported(checked) {
    return checked.cassette.exchanges.flatMap(({ wire }, index): Remark[] => {
      const told = wire && describeImported(wire.request)
      if (told === undefined) return []
      const problem = isUnasked(wire!.request)
        ? `${told[0]!.toUpperCase()}${told.slice(1)}. To take over the prompts of today: ${inMode(RECORD_COMMAND, 'prompts')}`
        : `Imported ${told}. ${howToRecord(checked)}`
      const place = `/exchanges/${index}/request/imported`
      return [{ severity: 'warning', place, problem }]
    })
  },

  /** The seal covers all that no other hash covers, such as dates, which decide how long a recording is valid. */
  seal({ text, stored, cassette }) {
    if (stored.seal === undefined) return cassette.exchanges.some(isRecorded) ? [WITHOUT_SEAL] : []
    if (!isEdited(stored, text)) return []
    if (isSorted(stored)) return [{ place: '/seal', problem: SORTED }]
    if (cassette.exchanges.every(isRecorded))
      return [{ place: '/seal', problem: `The file was edited after the recording. ${RESTORE}` }]
    // A person may put an answer of their own in the place of a recorded one.
    const problem =
      'The file was edited after the recording. A person wrote some of its exchanges, so review the whole file. ' +
      'A new recording seals it again.'
    return [{ place: '/seal', severity: 'warning', problem }]
  },
}

/** The checks of the folder by their names, in the order of the report. Their remarks name the entry that they are about. */
export const FOLDER_CHECKS: Readonly<
  Record<string, (folder: CheckedFolder) => Array<Remark & { path: string }>>
> = {
  /** A link in a cassette folder could lead reads and writes anywhere; git stores links as they are. */
  links({ entries }) {
    const problems: Partial<Record<FolderEntry['kind'], string>> = {
      link: 'It is a symbolic link, which could lead anywhere. Replace it by the file or folder itself.',
      other: 'It is neither a file nor a folder. Delete it.',
    }
    return entries.flatMap(({ path, kind }) => {
      const problem = problems[kind]
      return problem === undefined ? [] : [{ path, problem }]
    })
  },

  /** Finds files that no test looks for, and names that some file systems do not keep apart. */
  paths({ entries, cassettes, ofPrograms }) {
    const folders = entries
      .filter(({ path, kind }) => kind === 'folder' && isCassettePath(path))
      .map(({ path }) => ({ path, problem: 'A folder has the name of a cassette. Delete it.' }))
    const spellings = new Map<string, string>()
    const names = cassettes.flatMap((path): Array<Remark & { path: string }> => {
      const spelling = path.normalize('NFC').toLowerCase()
      const other = spellings.get(spelling)
      spellings.set(spelling, path)
      if (!isCassettePath(path) && !ofPrograms.has(path))
        return [
          { path, problem: 'No test has a cassette of this name. Delete it, or rename it back.' },
        ]
      if (other === undefined) return []
      return [
        { path, problem: `On some systems it is the same file as ${other}. Delete one of them.` },
      ]
    })
    return [...folders, ...names]
  },

  /** No test plays a cassette whose test file is gone. */
  'test-files'({ root, cassettes, ofPrograms }) {
    const files = new TestFiles(root)
    return cassettes
      .filter((path) => !ofPrograms.has(path) && !files.has(path))
      .map((path) => {
        const other = files.spelledElsewise(path)
        const problem =
          other === undefined
            ? `Its test file ${dirname(path)} is gone. Delete it, or move it with its test.`
            : `Its test file is spelled ${pathFrom(root, other)}, and some systems tell upper from lower case. Rename this folder likewise, with git mv.`
        return { path, problem }
      })
  },

  /** Images and documents that no cassette needs any more. */
  'unused-blobs'({ entries, blobs, isComplete }) {
    if (!isComplete) return []
    return entries
      .filter(({ path, kind }) => kind === 'file' && path.startsWith('blobs/'))
      .filter(({ path }) => !blobs.has(path.slice('blobs/'.length)))
      .map(({ path }) => ({
        path,
        problem: 'No cassette refers to it. Delete it, as npx vitest-cassette prune does.',
      }))
  },
}

/** What is odd about an answer, apart from errors, which tests record on purpose. */
const BROKEN: Partial<Record<Oddity['kind'], string>> = {
  broken:
    'The answer stops before its end, and not because the application left it. If that is not meant, record the test again with RECORD=1.',
  foreign:
    'The answer is none of a model, but that of another server, such as a proxy. If that is not meant, record the test again with RECORD=1.',
}

/** No file says by which command its program ran. */
function howToRecord(checked: CheckedCassette, option = ''): string {
  if (isOfProgram(checked))
    return 'To record it again, put RECORD=1 before the command of its program, such as: RECORD=1 pytest -k NAME'
  const [place] = testPlacesOf(checked.stored.conversation_id)
  const file = place ? ` ${quoteWord(place.file)}` : ''
  return `To record it again: ${RECORD_COMMAND}${option}${file}`
}

/** Replay and hashes ignore the layout. Diffs of the next recording would not. */
const FORMATTED =
  'A formatter, such as Prettier or Biome, changed the layout of the file, and nothing else. ' +
  'Restore the layout with: npx vitest-cassette verify --fix-layout. ' +
  'Let formatters ignore recordings with: npx vitest-cassette init'

/** Hashes cover the order of keys, as models and applications see it. */
const SORTED =
  'Its keys are in another order than vitest-cassette writes them: a formatter or linter sorted them, after the recording. ' +
  'Restore it from git, or record the test again with RECORD=1. ' +
  'Let formatters and linters ignore recordings with: npx vitest-cassette init'

/** Whether a header sets a cookie to a value; a recording has a placeholder in its place. */
function holdsCookie(header: string | undefined): boolean {
  return header?.split('\n').some((cookie) => hideCookie(cookie) !== cookie) ?? false
}

const COOKIE =
  'The answer sets a cookie to a value, and vitest-cassette records none: somebody edited it. ' +
  'Restore it from git, or record the test again with RECORD=1.'

/** The remedy for nearly every finding. */
const RESTORE = 'Restore it from git, or record the test again with RECORD=1.'

const MAX_QUOTED = 60

function quoteValue(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : stableStringify(value)
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}

/** What a check finds in the exchanges that are recorded. */
function findInRecorded(
  { exchanges }: Cassette,
  find: (exchange: RecordedExchange, place: string, index: number) => Remark[],
): Remark[] {
  return exchanges.flatMap((exchange, index) =>
    isRecorded(exchange) ? find(exchange, `/exchanges/${index}`, index) : [],
  )
}

/** The layout of a hand-written file and the order of its fields are free, but invisible characters are findings. */
function findInWritten(text: string, stored: StoredCassette): Remark[] {
  if (withoutSpace(text) === spellUnseen(JSON.stringify(stored))) return []
  const problem = 'It spells a character as an escape that needs none.'
  return [firstUnseen(text) ?? { problem }]
}

/** The remark about the first line with an invisible character; `undefined` where there is none. */
function firstUnseen(text: string): Remark | undefined {
  const lines = text.split('\n')
  const index = lines.findIndex((line) => unseenIn(line).length > 0)
  return index < 0 ? undefined : { line: index + 1, problem: describeLine(lines[index]!) }
}

/** Whether the fields of a file are in alphabetical order, in which they are never written. */
function isSorted(stored: object): boolean {
  const keys = Object.keys(stored)
  return keys.join() === keys.toSorted().join()
}

function describeLine(line: string): string {
  const unseen = [...new Set(unseenIn(line))].map(writeOut)
  if (unseen.length > 0) return `The line holds invisible characters: ${unseen.join(', ')}.`
  return 'From this line on, the file is not printed as vitest-cassette prints it: it was edited or formatted.'
}

/** The first line, counted from 1, in which two texts differ. */
function firstDifference(one: string, other: string): number {
  const others = other.split('\n')
  return one.split('\n').findIndex((line, index) => line !== others[index]) + 1 || others.length
}

/** Whether a program opened a cassette by its path. Its title is then that path, and no test looks for it. */
export function isOfProgram({ file, path, stored }: CheckedCassette): boolean {
  if (isCassettePath(path)) return false
  const id = stored.conversation_id.replaceAll('\\', '/')
  const name = posix.normalize(id).replace(/^(?:\.\.\/)+/, '')
  // The title is relative to the folder in which the program was started.
  return name.endsWith('.json') && (`/${file}`.endsWith(`/${name}`) || name.endsWith(`/${file}`))
}

/** Whether a cassette stands where a test looks for it, or did before both were moved to another folder. */
function isNamedFor(place: TestPlace, path: string): boolean {
  const paths = cassettePaths(place)
  return paths.includes(path) || posix.basename(paths[0]) === posix.basename(path)
}

/** The tool calls of an edited answer are its dangerous part. */
function describeCalls({ wire: { request, response } }: RecordedExchange): string {
  const { toolCalls } = dialectFor(readIncoming(request)).readCompletion(response)
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${quoteValue(given)})`)
  return calls.length === 0 ? '' : ` It calls ${calls.join(', ')}.`
}

function compareHalves(shown: Exchange, real: Exchange, place: string): Remark[] {
  const { timestamps: _, ...metadata } = shown.prompt.metadata
  const { duration_ms: __, tool_calls: calls = [], ...said } = shown.response
  const { tool_calls: realCalls = [], ...realSaid } = real.response
  const ofCalls = `${place}/response/tool_calls`
  return [
    ...compareFields({ text: shown.prompt.text }, { text: real.prompt.text }, `${place}/prompt`),
    ...compareFields(metadata, real.prompt.metadata, `${place}/prompt/metadata`),
    ...compareFields(said, realSaid, `${place}/response`),
    ...(calls.length === realCalls.length
      ? calls.flatMap((call, index) => compareCall(call, realCalls[index]!, `${ofCalls}/${index}`))
      : [
          {
            place: ofCalls,
            problem: `It shows ${calls.length} tool calls, and the answer that is replayed has ${realCalls.length}. ${RESTORE}`,
          },
        ]),
  ]
}

/** A request that is sent again is sent as it was spelled, and `body` is what is matched. */
function compareSpelling({ wire: { request } }: RecordedExchange, place: string): Remark[] {
  const { body } = request
  if (body.kind !== 'json' || body.asSent === undefined) return []
  if (JSON.stringify(tryParseJson(body.asSent)) === JSON.stringify(body.value)) return []
  const problem = `It says something else than the body that is matched. ${RESTORE}`
  return [{ place: `${place}/request/as_sent`, problem }]
}

/** An import adds the result of the last call, which no request contains. */
function compareCall(
  { result, ...call }: ToolCallSummary,
  real: ToolCallSummary,
  place: string,
): Remark[] {
  return compareFields(
    real.result === undefined ? call : { ...call, result: result ?? null },
    real,
    place,
  )
}

function compareFields(shown: object, real: object, place: string): Remark[] {
  const [one, other] = [shown, real] as [JsonObject, JsonObject]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) => {
    const [said, meant] = [one[name], other[name]]
    if (stableStringify([said]) === stableStringify([meant])) return []
    const problem = `It shows ${quoteValue(said)}, but the half that is matched and replayed says ${quoteValue(meant)}. ${RESTORE}`
    return [{ place: `${place}/${name}`, problem }]
  })
}

const OTHER_RULES: Remark = {
  place: '/rules',
  severity: 'warning',
  problem:
    'The hashes of its requests were counted by the rules of another release, so this one cannot compare them. ' +
    'A new recording counts them anew.',
}

const WITHOUT_SEAL: Remark = {
  problem: `The file has no seal, so an edit of it would go unnoticed. ${RESTORE}`,
}
