import { randomBytes } from 'node:crypto'
import { release } from 'node:os'
import { resolve } from 'node:path'
import type { ProjectSetting, RunLine, Size, TestShape } from '../../attempt/run-channel.ts'
import { readEnvironment } from '../../config/environment.ts'
import { ownVersion } from '../../config/versions.ts'
import { CassetteError } from '../../errors.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { safe, writeNote } from '../../secrets/notes.ts'
import { countOf } from '../../text/count-of.ts'
import { replayTests, vitestVersion } from '../programs/run-vitest.ts'
import { knowledgeOf } from '../sources/knowledge.ts'
import { Sources } from '../sources/source.ts'
import type { ExitCode, Terminal } from '../terminal/command.ts'
import { markdownTable } from '../terminal/table.ts'
import { printJson } from '../terminal/write-json.ts'

/** All that a report tells. Nothing of it is a text, a name or a path of the user. */
interface Report {
  versions: Record<string, string>
  projects: Array<Omit<ProjectSetting, 'root' | 'dir'>>
  run: {
    exitCode: number | null
    tests: number
    failed: number
    requests: number
    unanswered: number
  }
  /** Requests by wire format and transport. */
  transports: Record<string, number>
  /** Options of tests that are not those of a project, each once. */
  options: Array<Record<string, string>>
  failures: TestShape[]
  /** Earlier runs on this machine; absent where none are known. */
  earlier?: { cassettes: number; attempts: number; failures: number; failingInARow: number }
}

const MOST_FAILURES = 20

/** Runs the tests in replay, and writes a report that can be shown to strangers. */
export async function writeShareable(
  args: readonly string[],
  { output, asJson }: { output: string | undefined; asJson: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const run = await replayTests('doctor', args, terminal)
  const report = describeRun(run.exitCode, run.lines, terminal)
  if (asJson && output === undefined) {
    printJson(report, terminal)
    return 0
  }
  const text = asJson ? `${JSON.stringify(report, null, 2)}\n` : renderReport(report)
  if (output === undefined) {
    terminal.write(safe(text, terminal.env))
    return 0
  }
  writeNote(resolve(terminal.cwd, output), text)
  terminal.write(
    `The report is in ${output}. It has no text of yours; read it before you send it.\n`,
  )
  return 0
}

function describeRun(
  exitCode: number | null,
  lines: readonly RunLine[],
  terminal: Terminal,
): Report {
  const settings = lines.flatMap((line) => (line.kind === 'setting' ? line.setting : []))
  // A test that is tried again tells of each attempt: the last one counts.
  const told = lines.flatMap((line) => (line.kind === 'shape' ? line.shape : []))
  const shapes = [...new Map(told.map((shape) => [shape.test, shape])).values()]
  const failed = shapes.filter(({ failure }) => failure !== undefined)
  const options = new Map(shapes.map((shape) => [JSON.stringify(shape.options), shape.options]))
  const requests = shapes.flatMap((shape) => Object.entries(shape.requests))
  const transports: Record<string, number> = {}
  for (const [kind, count] of requests) transports[kind] = (transports[kind] ?? 0) + count
  return salted({
    versions: versionsOf(terminal),
    projects: settings.map(({ pool, environment, isolate, browser, options }) => ({
      pool,
      environment,
      isolate,
      browser,
      options,
    })),
    run: {
      exitCode,
      tests: shapes.length,
      failed: failed.length,
      requests: requests.reduce((sum, [, count]) => sum + count, 0),
      unanswered: shapes.reduce((sum, { misses }) => sum + misses.length, 0),
    },
    transports,
    options: [...options].flatMap(([said, one]) =>
      settings.some((setting) => JSON.stringify(setting.options) === said) ? [] : [one],
    ),
    failures: failed,
    earlier: earlierRuns(settings, terminal),
  })
}

function versionsOf({ cwd, env }: Terminal): Record<string, string> {
  const { ci, record } = readEnvironment({ ...env })
  return {
    'vitest-cassette': ownVersion(),
    Node: process.version,
    Vitest: vitestVersion(cwd),
    system: `${process.platform} ${release()} ${process.arch}`,
    CI: ci ? 'yes' : 'no',
    RECORD: record === undefined ? 'not set' : 'set',
  }
}

function earlierRuns(settings: readonly ProjectSetting[], terminal: Terminal): Report['earlier'] {
  const dir = [...new Set(settings.map(({ root, dir }) => resolve(root, dir)))]
  try {
    // What cannot be read is named by `verify`; its name is not for a report.
    const silent = { ...terminal, warn: () => {} }
    const all = [...new Sources({ dir }, silent).open([])]
    const runs = all.flatMap((source) => knowledgeOf(source).runs ?? [])
    return {
      cassettes: all.length,
      attempts: runs.reduce((sum, { attempts }) => sum + attempts, 0),
      failures: runs.reduce((sum, { failures }) => sum + failures, 0),
      failingInARow: runs.filter(({ failuresInARow }) => failuresInARow > 1).length,
    }
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
    return undefined
  }
}

/** Digests by which contents are equal within one report, and cannot be guessed from it. */
function salted(report: Report): Report {
  const salt = randomBytes(16).toString('hex')
  const digest = (text: string): string => sha256(salt + text).slice(0, 12)
  const size = (one: Size): Size => ({ ...one, digest: digest(one.digest) })
  return {
    ...report,
    failures: report.failures.map((shape) => ({
      ...shape,
      test: digest(shape.test),
      misses: shape.misses.map((miss) => ({
        ...miss,
        hash: digest(miss.hash),
        closest: miss.closest && {
          ...miss.closest,
          changes: miss.closest.changes.map((change) => ({
            ...change,
            before: change.before && size(change.before),
            after: change.after && size(change.after),
          })),
        },
      })),
    })),
  }
}

function renderReport(report: Report): string {
  const { versions, projects, run, transports, options, failures, earlier } = report
  const shown = failures.slice(0, MOST_FAILURES)
  const rest = failures.length - shown.length
  const lines = [
    '### vitest-cassette doctor --report',
    '',
    ...table(['', ''], Object.entries(versions)),
    '',
    ...projects.map(
      ({ pool, environment, isolate, browser, options }, at) =>
        `- project ${at + 1}: pool ${pool}, environment ${environment}${isolate ? '' : ', not isolated'}` +
        `${browser ? ', in a browser' : ''}, ${describeOptions(options)}`,
    ),
    ...options.map((one) => `- in tests: ${describeOptions(one)}`),
    `- run: exit code ${run.exitCode}; ${countOf(run.tests, 'test')} asked ${countOf(run.requests, 'request')}, ` +
      `${run.unanswered} unanswered; ${run.failed} failed`,
    ...(earlier
      ? [
          `- earlier runs: ${countOf(earlier.cassettes, 'cassette')}, ${countOf(earlier.attempts, 'attempt')}, ` +
            `${earlier.failures} failed, ${earlier.failingInARow} failing in a row`,
        ]
      : []),
    ...Object.entries(transports).map(([kind, count]) => `- ${kind}: ${countOf(count, 'request')}`),
    ...shown.flatMap(renderFailure),
    ...(rest > 0 ? ['', `And ${countOf(rest, 'more failing test', 'more failing tests')}.`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function describeOptions(options: Record<string, string>): string {
  const said = Object.entries(options).map(([name, value]) => `\`${name}\`: ${value}`)
  return said.length === 0 ? 'options as by default' : said.join(', ')
}

function renderFailure({ test, failure, recorded, varying, misses }: TestShape): string[] {
  const played = recorded
    ? `${recorded.played} of ${countOf(recorded.exchanges, 'exchange')} played`
    : 'no cassette'
  return [
    '',
    `#### Test ${test}: ${failure}, ${played}`,
    ...(varying
      ? [
          '',
          `${countOf(varying.values, 'value')} varied: ${varying.rules.join(', ') || 'no named rule'}`,
        ]
      : []),
    ...misses.flatMap(({ reason, kind, hash, closest }, at) => [
      '',
      `${at + 1}. ${reason}, ${kind}, ${hash}: ${closest ? describeClosest(closest) : 'nothing to compare it with'}`,
      ...(closest && closest.changes.length > 0
        ? [
            '',
            ...table(
              ['change', 'place', 'before', 'after'],
              closest.changes.map(({ kind, place, before, after }) => [
                kind,
                place,
                describeSize(before),
                describeSize(after),
              ]),
            ),
          ]
        : []),
    ]),
  ]
}

function describeClosest({
  wasPlayed,
  onlyVolatile,
  changes,
}: NonNullable<TestShape['misses'][number]['closest']>): string {
  return [
    countOf(changes.length, 'change'),
    `the closest ${wasPlayed ? 'was' : 'was not'} played`,
    ...(onlyVolatile ? ['only values that vary'] : []),
  ].join(', ')
}

function describeSize(size: Size | undefined): string {
  if (!size) return ''
  const { type, characters, lines, digest } = size
  return `${type}, ${countOf(characters, 'character')}, ${countOf(lines, 'line')}, ${digest}`
}

function table(titles: readonly string[], rows: readonly string[][]): string[] {
  return markdownTable(
    titles.map((title) => ({ title })),
    rows,
  )
}
