import { unlessEmpty } from '../../../providers/fields.ts'
import { countOf } from '../../../text/count-of.ts'
import { layOutLine, printable } from '../../../text/printable.ts'
import { tableWidthOf, type Terminal } from '../../terminal/command.ts'
import type { OptionValues } from '../../terminal/options.ts'
import { type ColumnOf, shorten, tableOf } from '../../terminal/table.ts'
import type { UnreadFile } from '../files.ts'
import { chosenNotes, sumsOf, tellKept, tellUnread } from '../tell.ts'
import { OF_TRACES, type TestVerdict, writeVerdict } from '../verdict.ts'
import type { NotHeld } from './model-call.ts'
import type { PlannedTrace, TracePlan } from './plan-traces.ts'
import { settingsOf } from './read-traces.ts'

/** @param width of the table; what becomes of a trace gets at most half of it */
function columnsFor(width: number): Array<ColumnOf<PlannedTrace>> {
  return [
    { title: 'trace', text: ({ file, trace }) => `${file} (${trace.id})` },
    { title: 'calls', align: 'right', text: ({ trace }) => String(trace.calls) },
    {
      title: 'becomes',
      text: ({ target }) => shorten(target?.title ?? 'nothing yet', Math.floor(width / 2)),
    },
  ]
}

/** What is not compared, or not answered, where a tracer left it out. */
const NOT_HELD: Record<NotHeld, string> = {
  messages: 'what was said',
  instructions: 'the system instructions',
  tools: 'the tools',
  parameters: 'the parameters',
  model: 'the model',
  answer: 'the answer, which is empty then',
  arguments: 'the arguments of calls of tools',
  status: 'the status of an error, which is that of the provider for such an error',
  files: 'pictures and files',
  limit: 'the limit of tokens, to which the AI SDK adds those for thoughts',
  choices: 'further choices of an answer',
  count: 'how many choices were asked for',
}

const MOST_TEXTS = 10

const MOST_ROWS = 100

/** Tells people what becomes of traces, and what the test of one does with it. */
export function tellTraces(
  plan: TracePlan,
  unread: readonly UnreadFile[],
  verdicts: readonly TestVerdict[],
  values: OptionValues,
  terminal: Terminal,
): void {
  const { write, colors } = terminal
  const { traces } = plan
  const width = tableWidthOf(terminal, values)
  const shown = traces.slice(0, MOST_ROWS)
  const more = traces.length - shown.length
  write(`${tableOf(columnsFor(width), shown, width).join('\n')}\n`)
  write(more > 0 ? `and ${countOf(more, 'other trace')}; all of them: --json\n\n` : '\n')
  tellUnread(unread, true, terminal)
  for (const note of notesOn(plan, values)) write(`${printable(note)}\n`)
  tellKept(traces, terminal)
  const open = traces.filter(({ target, kept }) => target && kept === undefined)
  if (open.length < traces.length && traces.some(({ target }) => !target))
    write(
      "Say where they go: --test '<file> > <title>', a new test with --write-test <file>, or --to <file or folder>\n",
    )
  if (values.write !== true) {
    const calls = open.reduce((sum, { trace }) => sum + trace.calls, 0)
    write(
      `${countOf(open.length, 'cassette')} with ${countOf(calls, 'exchange')}. Nothing was written; to write: --write\n`,
    )
    return
  }
  write(`Wrote ${countOf(open.length, 'cassette')}.\n`)
  for (const { first } of open)
    if (first)
      write(
        `Wrote ${layOutLine(first.file)}, a test that fails until it calls your application:\n  ${colors.bold(`npx vitest run ${layOutLine(first.file)}`)}\n`,
      )
  // Recordings and traces of one command are never both those of tests.
  if (verdicts.length > 0 && open.some(({ test }) => test)) {
    write('\n')
    writeVerdict(verdicts, terminal, OF_TRACES)
  }
}

/** What a person should know of the cassettes. */
function notesOn(
  { traces, withoutCalls, withoutTexts }: TracePlan,
  values: OptionValues,
): string[] {
  const sum = (figure: (one: PlannedTrace) => number): number =>
    traces.reduce((total, one) => total + figure(one), 0)
  const calls = sum(({ trace }) => trace.calls)
  const of = (count: number): string => ` (${count} of ${countOf(calls, 'call')})`
  const same = sum((one) => one.same.length)
  const orphans = sum(({ trace }) => trace.orphans)
  const notHeld = sumsOf(traces.map((one) => one.notHeld))
  const ifSent = [...new Set(traces.flatMap((one) => one.ifSent))]
  const choices = sum((one) => one.choices)
  const cut = traces.flatMap((one) => one.cut)
  const redacted = new Set(cut.flatMap(({ why, text }) => (why === 'redacted' ? text : [])))
  const shortened = new Set(cut.flatMap(({ why, text }) => (why === 'redacted' ? [] : text)))
  const credentials = sum((one) => one.credentials)
  const personal = new Map(traces.flatMap((one) => one.personal).map((one) => [one.text, one]))
  const held = Array.from(personal.values(), ({ kind, text }) => `${kind}: ${layOutLine(text)}`)
  return chosenNotes([
    [same, `Left out: ${countOf(same, 'trace')} with the prompts and calls of another`],
    [withoutCalls, `Left out: ${countOf(withoutCalls, 'trace')} without a call of a model`],
    [
      withoutTexts.length,
      `Left out: ${countOf(withoutTexts.length, 'trace')} without texts, which these settings keep:\n${settingsOf(new Set(withoutTexts.flatMap((one) => one.emitters)))}`,
    ],
    [
      orphans,
      `${countOf(orphans, 'span has', 'spans have')} a parent that is not in the file: calls may be missing.`,
    ],
    [
      notHeld.size,
      `Not compared, as the tracer left it out: ${Array.from(notHeld, ([what, count]) => NOT_HELD[what] + of(count)).join(', ')}`,
    ],
    [
      ifSent.length,
      `Compared only with a request that has it, as the AI SDK keeps what was set and not what it sends: ${ifSent.join(', ')}`,
    ],
    [
      choices,
      `Further choices of an answer${of(choices)} are given to a request that asks for them, in chat completions, in completions and in Gemini's generateContent. Any other gets the first alone.`,
    ],
    [
      redacted.size,
      `${countOf(redacted.size, 'text was', 'texts were')} redacted by the tracer, and stand${redacted.size === 1 ? 's' : ''} for any text.`,
    ],
    [
      shortened.size,
      `${countOf(shortened.size, 'text was', 'texts were')} cut by the tracer, and ${
        values['cut-texts'] === true
          ? `${shortened.size === 1 ? 'is' : 'are'} compared up to the cut.`
          : `${shortened.size === 1 ? 'is' : 'are'} not compared. To compare up to the cut: --cut-texts`
      }`,
    ],
    [
      credentials,
      `Replaced what is or looks like a credential, at ${countOf(credentials, 'place')}. If one is real, revoke it: the tracer has it.`,
    ],
    [
      held.length,
      [
        `${countOf(held.length, 'text looks', 'texts look')} like personal data. To replace what should not be stored: --redact '<regular expression>'`,
        ...held.slice(0, MOST_TEXTS).map((one) => `  ${one}`),
        ...(held.length > MOST_TEXTS ? [`  and ${held.length - MOST_TEXTS} more`] : []),
      ].join('\n'),
    ],
  ])
}

export function tracesAsData({ traces }: TracePlan) {
  return traces.map((one) => ({
    file: one.file,
    trace: one.trace.id,
    calls: one.trace.calls,
    same: one.same,
    orphans: one.trace.orphans,
    cassette: one.target?.shown,
    test: one.target?.title,
    writesTest: one.first?.file,
    notCompared: Object.fromEntries(one.notHeld),
    comparedIfSent: unlessEmpty(one.ifSent),
    callsWithChoices: one.choices || undefined,
    cutTexts: one.cut,
    credentials: one.credentials,
    personal: one.personal,
    notWritten: one.kept,
  }))
}
