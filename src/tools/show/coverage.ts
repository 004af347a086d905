import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import type { Source } from '../sources/source.ts'
import type { Terminal } from '../terminal/command.ts'
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

/** The ends of an answer that an application has to handle, with the providers' names for each. */
const ENDS: ReadonlyArray<readonly [what: string, reasons: RegExp]> = [
  ['an answer that was too long', /^(?:length|max_tokens|max_output_tokens|MAX_TOKENS)$/],
  [
    'a refusal by a filter',
    /^(?:content_filter|refusal|SAFETY|content_filtered|guardrail_intervened)$/,
  ],
]

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
  const { tools, finishReasons, failures, streamed, answers, incomplete } = coverage
  const uncalled = [...tools].filter(([, calls]) => calls === 0).map(([name]) => name)
  const reasons = [...finishReasons.keys()]
  const isLimit = (status: number): boolean => status === 429
  return [
    ...uncalled.map((name) => `a call of ${name}`),
    ...ENDS.filter(([, known]) => !reasons.some((reason) => known.test(reason))).map(
      ([what]) => what,
    ),
    ...([...failures.keys()].some(isLimit) ? [] : ['a rate limit (429)']),
    ...([...failures.keys()].some((status) => status >= 500) ? [] : ['a failing provider (5xx)']),
    ...(streamed > 0 && incomplete === 0 ? ['a stream that is cut'] : []),
    ...(streamed === 0 && answers > 0 ? ['a stream'] : []),
  ]
}

/** Writes the cases that the recorded answers cover, and those that none covers. */
export function writeCoverage(
  sources: readonly Source[],
  values: OptionValues,
  terminal: Terminal,
): void {
  const { write, colors } = terminal
  const steps = sources.flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
  const coverage = coverageOf(steps)
  const unseen = uncoveredBy(coverage)
  const { tools, finishReasons, failures, answers, streamed, incomplete } = coverage
  if (values.json === true)
    return printJson(
      {
        tools: Object.fromEntries(tools),
        finish_reasons: Object.fromEntries(finishReasons),
        failures: Object.fromEntries(failures),
        answers,
        streamed,
        incomplete,
        unseen,
      },
      terminal,
    )
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
}
