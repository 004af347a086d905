import { safe } from '../../secrets/notes.ts'
import { printable, quoteStart } from '../../text/printable.ts'
import { quoteWord } from '../../text/command-line.ts'
import { CLOCKS } from '../../prompt/named-rules.ts'
import type { Conflict, ValuePair } from '../../engine/bind.ts'
import { askingTwice } from '../facts/asking-twice.ts'
import { recordedTime } from '../recorded-time.ts'
import type { PartialSuggestion, Suggestion } from '../../engine/match.ts'
import { spellRules } from '../../features/suggest.ts'
import type { Session } from '../../engine/session.ts'
import { paint } from '../labelled.ts'

/** The number of values that are shown. */
const MAX_SHOWN = 5

/** The headline of a failure in which only values differ that vary between runs. */
export function headlineOfSuggestion({ pairs }: Suggestion): string {
  const rules = [...new Set(pairs.map(({ rule }) => rule))].join(', ')
  return `The prompt changed only in values that vary between runs (${rules})`
}

/**
 * The remedy for such a failure: a line for the configuration or for the test.
 *
 * @param hasClock whether the test can stop the clock of the program that made the request
 */
export function adviseOnSuggestion(
  { rules, pairs }: Suggestion,
  session: Session,
  hasClock: boolean,
): string {
  const time = recordedTime(pairs)
  return [
    'Nothing differs but values that vary between runs:',
    ...showPairs(pairs),
    ...lineToAdd(rules, session),
    ...(time && hasClock
      ? [
          'or let the test stop the clock:',
          `  ${paint.bold(`vi.setSystemTime(new Date('${time}'))`)}`,
        ]
      : []),
  ].join('\n')
}

/** The differing values that named rules recognise, those that they do not, and the rules to declare for both. */
export function adviseOnPart({ rules, pairs, rest }: PartialSuggestion, session: Session): string {
  const recognised =
    pairs.length > 0
      ? ['These of the different values are known to vary between runs:', ...showPairs(pairs)]
      : []
  if (rest.length === 0)
    return [
      ...recognised,
      'Something else differs too, which no named rule recognises, so none is proposed.',
      'Where that may vary as well, declare it with a regular expression, and these with their names.',
      ...adviseTwice(session),
    ].join('\n')
  return [
    ...recognised,
    'No named rule recognises these, which stand beside the prompt:',
    ...showPairs(rest),
    ...lineToAdd(rules, session),
  ].join('\n')
}

function adviseTwice({ test }: Session): string[] {
  const command = askingTwice(test.recordCommand)
  return command ? ['This command proposes the line:', `  ${paint.bold(command)}`] : []
}

/** The headline of a failure in which a volatile value contradicts an earlier one. */
export function headlineOfConflict({ before, now }: Conflict): string {
  return printable(
    before.recorded === now.recorded
      ? `A volatile value changed within the test: the recorded ${short(now.recorded)} was ${short(before.live)} before, and now is ${short(now.live)}`
      : `Two recorded values are the same value in this run: ${short(now.live)} stood for the recorded ${short(before.recorded)}, and now stands for ${short(now.recorded)}`,
  )
}

/** The advice on volatile values that were equal in the recording and now differ, or the reverse. */
export function adviseOnIdentity(
  rules: ReadonlyArray<string | undefined>,
  hasClock: boolean,
): string {
  const text =
    'A volatile value may vary, but in the whole test equal values must stay equal, and different ones different.'
  if (!hasClock || !rules.some((rule) => CLOCKS.has(rule ?? ''))) return text
  const line = 'vi.setSystemTime(…)'
  return `${text}\nWhere two times become one because a replay is faster, let the test stop the clock:\n  ${paint.bold(line)}`
}

/** Says that the cassette was recorded without parameters that the test declares now. */
export function adviseOnParams(names: readonly string[]): string {
  const what = names.length === 1 ? 'the parameter' : 'the parameters'
  return `The cassette was recorded without ${what} ${names.join(', ')}, which the test declares now.`
}

/** The option with the declared and the new rules, and the files in which it can be written. */
function lineToAdd(rules: Suggestion['rules'], session: Session): string[] {
  const { config, test } = session
  if (test.optionsOf === 'command') {
    const words = rules.map((rule) => `--volatile ${quoteWord(String(rule))}`).join(' ')
    return ['If they may, give this to the command too:', `  ${paint.bold(printable(words))}`]
  }
  const line = printable(spellRules([...config.volatile, ...rules]))
  if (test.optionsOf === 'runner')
    return [
      'If they may, write this line in the options of your cassettes (docs/other-runners.md):',
      `  ${paint.bold(line)}`,
    ]
  if (test.optionsOf)
    return ['If they may, write this line in openCassette({ … }):', `  ${paint.bold(line)}`]
  const [file] = test.id.split(' > ')
  return [
    'If they may, write this line in cassettes({ … }) in your Vitest config, for all tests,',
    `or in useCassette({ … }) in ${printable(file!)}, for its own:`,
    `  ${paint.bold(line)}`,
  ]
}

function showPairs(pairs: readonly ValuePair[]): string[] {
  const shown = pairs.slice(0, MAX_SHOWN).map(showPair)
  return pairs.length > MAX_SHOWN ? [...shown, `  and ${pairs.length - MAX_SHOWN} more`] : shown
}

function showPair({ recorded, live, rule }: ValuePair): string {
  return printable(`  ${short(recorded)} → ${short(live)}  ${rule}`)
}

function short(value: string): string {
  return quoteStart(safe(value).replace(/\s+/g, ' '))
}
