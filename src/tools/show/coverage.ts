import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { Sources } from '../sources/source.ts'
import type { ExitCode, Terminal } from '../terminal/command.ts'
import { printJson } from '../terminal/write-json.ts'
import type { OptionValues } from '../terminal/options.ts'
import type { RecordedStep } from '../../conversation/step.ts'

/** The cases that recorded answers cover, and so the cases in which the application is tested. */
interface Coverage {
  /** Tools that were declared, and how often each was called. */
  tools: Map<string, number>
  /** The finish reasons of answers, in the providers' words, and how often each occurred. */
  finishReasons: Map<string, number>
  /** Statuses of failures, and how often each was answered. */
  failures: Map<number, number>
  answers: number
  streamed: number
  /** Answers that stop before their end. */
  incomplete: number
}

/** The cases that every application has to handle, and whether some answer is one. */
const CASES: ReadonlyArray<readonly [what: string, isSeen: (coverage: Coverage) => boolean]> = [
  ['an answer that was too long', endsBy(/^(?:length|max_tokens|max_output_tokens|MAX_TOKENS)$/)],
  [
    'a refusal by a filter',
    endsBy(/^(?:content_filter|refusal|SAFETY|content_filtered|guardrail_intervened)$/),
  ],
  ['a rate limit (429)', failsBy((status) => status === 429)],
  ['a failing provider (5xx)', failsBy((status) => status >= 500)],
  ['a stream that is cut', ({ streamed, incomplete }) => streamed === 0 || incomplete > 0],
  ['a stream', ({ streamed, answers }) => streamed > 0 || answers === 0],
]

/** @param known the providers' names for an end */
function endsBy(known: RegExp): (coverage: Coverage) => boolean {
  return ({ finishReasons }) => [...finishReasons.keys()].some((reason) => known.test(reason))
}

function failsBy(isOne: (status: number) => boolean): (coverage: Coverage) => boolean {
  return ({ failures }) => [...failures.keys()].some(isOne)
}

/** Counts the cases that the answers of cassettes cover. Answers of MCP servers do not count: no model gave them. */
export function coverageOf(all: readonly RecordedStep[]): Coverage {
  const steps = all.filter(({ dialect }) => dialect !== 'mcp')
  const tools = new Map<string, number>()
  const finishReasons = new Map<string, number>()
  const failures = new Map<number, number>()
  const add = <Key>(counts: Map<Key, number>, key: Key, count: number): void =>
    void counts.set(key, (counts.get(key) ?? 0) + count)
  for (const { prompt, completion, wire } of steps) {
    for (const { name } of prompt.tools) if (name !== '') add(tools, name, 0)
    for (const { name } of completion.toolCalls) add(tools, name, 1)
    for (const reason of completion.finishReasons) add(finishReasons, reason, 1)
    const status = wire?.response?.status ?? 200
    if (status >= 400) add(failures, status, 1)
  }
  return {
    tools,
    finishReasons,
    failures,
    answers: steps.length,
    streamed: steps.filter(({ wire }) => STREAMS.has(wire?.response?.body.kind ?? '')).length,
    incomplete: steps.filter(({ completion }) => completion.incomplete).length,
  }
}

const STREAMS: ReadonlySet<string> = new Set(['events', 'lines', 'frames'])

/** The cases that no answer covers, in words. */
export function uncoveredBy(coverage: Coverage): string[] {
  const uncalled = [...coverage.tools].filter(([, calls]) => calls === 0)
  const unseen = CASES.filter(([, isSeen]) => !isSeen(coverage))
  return [...uncalled.map(([name]) => `a call of ${name}`), ...unseen.map(([what]) => what)]
}

/** Writes the cases that the recorded answers cover, and those that none covers. */
export function writeCoverage(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): ExitCode {
  const { write, colors } = terminal
  const sources = new Sources(values, terminal)
  const steps = [...sources.open(names)].flatMap(({ conversations }) =>
    conversations.flatMap(({ steps }) => steps),
  )
  const coverage = coverageOf(steps)
  const unseen = uncoveredBy(coverage)
  const { tools, finishReasons, failures, answers, streamed, incomplete } = coverage
  if (values.json === true) {
    const counted = {
      tools: Object.fromEntries(tools),
      finish_reasons: Object.fromEntries(finishReasons),
      failures: Object.fromEntries(failures),
    }
    printJson({ ...counted, answers, streamed, incomplete, unseen }, terminal)
    return sources.code
  }
  const list = (counts: ReadonlyMap<string | number, number>): string =>
    [...counts].map(([name, count]) => `${layOutLine(String(name))} ${count}`).join(', ') || 'none'
  write(
    `${colors.bold('Answers')}   ${answers}, ${streamed} streamed, ${incomplete} cut\n` +
      `${colors.bold('Tools')}     ${list(tools)}\n` +
      `${colors.bold('Ended by')}  ${list(finishReasons)}\n` +
      `${colors.bold('Failures')}  ${list(failures)}\n\n` +
      (unseen.length === 0
        ? 'Every tool, every kind of end and of failure, and streams are in some recording.\n'
        : `No test has seen ${countOf(unseen.length, 'thing')} that can happen:\n` +
          unseen.map((what) => `  ${layOutLine(what)}\n`).join('')),
  )
  return sources.code
}
