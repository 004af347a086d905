// The tables of README.md: what a run measured, and what it did not measure as it was.
import { mergeRows, rowOf, UNMEASURED } from './merge-rows.ts'
import { LARGEST, suiteRows, vitestRows } from './vitest-rows.ts'
import { median, workloads, type Budget, type Measured } from './workloads.ts'

/** The measurement of each round, by row and contestant. */
export type Results = Record<string, Record<string, Measured[]>>

/** A line of a table. Some rows are measured once and fill several lines. */
interface Line extends Budget {
  title: string
  unit: 'ms' | 'µs' | 'MB' | 's' | ''
  /** What is compared, round by round. */
  compared?(measured: Measured): number
  /** How it is compared, if not as a ratio: by how much it is more than the floor, or not at all. */
  as?: 'more' | 'absolute'
  /** Whose figure a ratio is to, if not the floor's. */
  against?: 'limit'
  /** A figure of all rounds together, which is not compared. */
  ofRounds?(rounds: Measured[]): number
}

interface Table {
  /** Its comments in README.md. */
  mark: string
  columns: readonly string[]
  /** The lines of each row. */
  lines: Record<string, Line[]>
}

/** The contestants, in the order of the columns. */
export const CONTESTANTS = [
  'floor',
  'limit',
  'vitest-cassette',
  'vitest-cassette-socket',
  'msw-fetch',
  'msw',
  'nock',
  'polly',
  'aimock',
  'llm-vcr',
  'vi.stubGlobal',
]

/** The contestants of whole suites. */
export const OF_SUITES = ['floor', 'vitest-cassette', 'vitest-cassette-uncached']

/** Another build, which is measured with the others, and never written. */
export const AGAINST = 'against'

/** The lines that one measurement fills besides its first. */
const FURTHER: Record<string, Line[]> = {
  conversation: [
    {
      title: 'growth of a turn’s cost, exponent',
      goal: 1.05,
      unit: '',
      ofRounds: exponentOf,
    },
  ],
  large: [
    {
      title: 'peak memory with a cassette of 25 MB',
      goal: 1.3,
      unit: 'MB',
      compared: ({ peak }) => peak!,
    },
  ],
  recorded: [
    closingLine('closing a recording of 200 calls', 'absolute', { gate: 50, goal: 20 }),
    cpuLine('CPU seconds of the thread that records 200 calls', { goal: 1.5 }),
  ],
  waiting: [
    closingLine('closing a recording of 50 calls, 20 ms after each other', 'absolute', {
      goal: 25,
    }),
  ],
  'vitest-calls': [
    cpuLine('CPU seconds of `vitest run` with calls', { goal: 1.03 }),
    fileLine('CPU of a file with 5 calls, more than with the stub', { gate: 12, goal: 6 }),
  ],
  'vitest-idle': [
    cpuLine('CPU seconds of `vitest run` without calls', { goal: 0.95 }),
    fileLine('CPU of a file without calls, more than with Vitest alone', { gate: 6, goal: 0 }),
  ],
  'vitest-kinds': [
    kindLine('a volatile value: more than as recorded', 'µs', 'volatile', 'plain', 60),
    kindLine('a parameter: more than as recorded', 'µs', 'parameter', 'plain', 25),
    kindLine(
      'the first call of an edited file: more than of a sealed one',
      'ms',
      'edited',
      'sealed',
      10,
    ),
  ],
  [LARGEST]: [
    {
      title: '1,000 files: memory of the process of the run, more than with the stub',
      gate: 16,
      goal: 16,
      unit: 'MB',
      as: 'more',
      compared: ({ peak }) => peak!,
    },
    closingLine('1,000 files: time after the last test, more than with the stub', 'more', {
      gate: 300,
      goal: 300,
    }),
    {
      title: '1,000 files: `verify`',
      gate: 4_000,
      goal: 2_000,
      unit: 'ms',
      as: 'absolute',
      compared: ({ kinds }) => kinds?.verify ?? NaN,
    },
  ],
}

export const tables: Table[] = [
  {
    mark: 'bench',
    columns: CONTESTANTS,
    lines: linesOf({ ...workloads, ...vitestRows }, (row) => ({
      ...budgetOf(row),
      ...('memory' in row
        ? { unit: 'MB', compared: ({ peak }) => peak! }
        : {
            unit: 'ms',
            compared: 'kinds' in row ? ({ kinds }) => kinds!.plain! : ({ times }) => median(times),
          }),
      ...('absolute' in row || 'kinds' in row ? { as: 'absolute' } : {}),
      ...('against' in row ? { against: row.against } : {}),
    })),
  },
  {
    mark: 'suites',
    columns: OF_SUITES,
    lines: linesOf(suiteRows, (row) =>
      row.byName
        ? { ...budgetOf(row), unit: 'ms', compared: ({ times }) => median(times) }
        : cpuLine(row.title, row),
    ),
  },
]

function linesOf<Row>(rows: Record<string, Row>, first: (row: Row) => Line): Table['lines'] {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, [first(row), ...(FURTHER[name] ?? [])]]),
  )
}

function budgetOf({ title, gate, goal }: Budget & { title: string }): Omit<Line, 'unit'> {
  return { title, gate, goal }
}

function cpuLine(title: string, { gate, goal }: Budget): Line {
  return { title, gate, goal, unit: 's', compared: ({ cpu }) => cpu! }
}

/** The CPU milliseconds of each test file. */
function fileLine(title: string, budget: Budget): Line {
  const compared = ({ cpu, files }: Measured): number => (cpu! * 1_000) / files!
  return { title, ...budget, unit: 'ms', as: 'more', compared }
}

function closingLine(title: string, as: 'more' | 'absolute', budget: Budget): Line {
  return { title, ...budget, unit: 'ms', as, compared: ({ closing }) => closing! }
}

/** By how much a call of one kind takes longer than one of another. */
function kindLine(
  title: string,
  unit: 'ms' | 'µs',
  kind: string,
  than: string,
  budget: number,
): Line {
  const times = unit === 'µs' ? 1_000 : 1
  const compared = ({ kinds }: Measured): number => (kinds![kind]! - kinds![than]!) * times
  return { title, gate: budget, goal: budget, unit, as: 'absolute', compared }
}

/** The cells of the budget of a line: a ratio, or a figure in its unit. */
function budgetCells({ gate, goal, unit, as }: Line): string[] {
  return [gate, goal].map((most) =>
    most === undefined ? UNMEASURED : `≤ ${most}${as ? ` ${unit}` : ''}`,
  )
}

/** What was measured, as a table each for single rows and for suites; with another build, also what it is to that. */
export function printTables(results: Results, contestants: readonly string[]): string {
  return tables
    .map((table) => printRows(table, results, contestants))
    .filter((rows) => rows.length > 0)
    .map((rows) => rows.join('\n'))
    .join('\n\n')
}

/** README.md with the measured cells in its tables. Rows and columns that were not measured stay. */
export function writeTables(
  readme: string,
  results: Results,
  contestants: readonly string[],
  ranOn: string,
): string {
  const shown = contestants.filter((name) => name !== AGAINST)
  return tables.reduce((text, table) => {
    const measured = printRows(table, results, shown)
    if (measured.length === 0) return text
    const [opening, end] = [`<!-- ${table.mark} -->`, `<!-- /${table.mark} -->`]
    const [from, to] = [text.indexOf(opening) + opening.length, text.indexOf(end)]
    if (from < opening.length || to < from)
      throw new Error(`bench/README.md has no ${opening} … ${end}`)
    const before = text.slice(from, to)
    const known = before.split('\n').filter((line) => line.startsWith('|'))
    const titles = Object.values(table.lines).flatMap((lines) => lines.map(({ title }) => title))
    const rows = mergeRows(known, measured, { titles, columns: table.columns })
    const note = noteOf(table, results, shown, known.length > 0 ? before : '')
    return `${text.slice(0, from)}\n\n${rows.join('\n')}\n\n${note}\n${ranOn}\n\n${text.slice(to)}`
  }, readme)
}

/** The rows of a table of which something was measured; none if nothing was. */
function printRows(table: Table, results: Results, contestants: readonly string[]): string[] {
  const measured = Object.entries(results).filter(([row]) => row in table.lines)
  if (measured.length === 0) return []
  const columns = contestants.filter((name) => measured.some(([, { [name]: rounds }]) => rounds))
  const head = [
    'workload',
    ...columns,
    'gate',
    'goal',
    ...(columns.includes(AGAINST) ? ['÷ against'] : []),
  ]
  const rows = measured.flatMap(([row, rounds]) =>
    table.lines[row]!.map((line) => [
      line.title,
      ...columns.map((name) => cellOf(line, rounds, name)),
      ...budgetCells(line),
      ...(columns.includes(AGAINST) ? [toAgainst(line, rounds)] : []),
    ]),
  )
  return [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rows].map(rowOf)
}

function cellOf(line: Line, rounds: Results[string], name: string): string {
  const measured = rounds[name]
  if (!measured) return UNMEASURED
  const wrong = measured.find((one) => one.wrong !== undefined)?.wrong
  if (wrong) return `*${/^(answer|did)/.test(wrong) ? 'wrong' : wrong}*`
  const { unit, compared, ofRounds, as, against = 'floor' } = line
  if (ofRounds) return ofRounds(measured).toFixed(2)
  if (name === 'floor' || as === 'absolute') {
    const figure = median(measured.map(compared!))
    return Number.isNaN(figure) ? UNMEASURED : `${precise(figure)} ${unit}`
  }
  if (as) return `${signed(median(differences(measured, rounds.floor!, compared!)))} ${unit}`
  const note = measured.some((one) => one.note) ? '¹' : ''
  return ratioOf(measured, rounds[against]!, compared!).toFixed(2) + note
}

/** What this build is to the other one. */
function toAgainst({ compared }: Line, rounds: Results[string]): string {
  const [ours, theirs] = [rounds['vitest-cassette'], rounds[AGAINST]]
  const all = [...(ours ?? []), ...(theirs ?? [])]
  if (!compared || !ours || !theirs || all.some(({ wrong }) => wrong)) return UNMEASURED
  return ratioOf(ours, theirs, compared).toFixed(2)
}

function differences(
  measured: Measured[],
  than: Measured[],
  compared: (measured: Measured) => number,
): number[] {
  return measured.map((one, round) => compared(one) - compared(than[round]!))
}

/** The median of the rounds' ratios, because a pause of the machine slows both sides of a round. */
function ratioOf(
  measured: Measured[],
  to: Measured[],
  compared: (measured: Measured) => number,
): number {
  return median(measured.map((one, round) => compared(one) / compared(to[round]!)))
}

function noteOf(
  table: Table,
  results: Results,
  contestants: readonly string[],
  before: string,
): string {
  const isAll =
    Object.keys(table.lines).every((row) => row in results) &&
    table.columns.every((name) => contestants.includes(name))
  const rounds = Math.min(roundsOf(table, results), isAll ? Infinity : roundsIn(before))
  return [
    `Ratios to the floor; medians over ${rounds} or more interleaved rounds.`,
    'A tool that gave a wrong answer has no figure. ¹ Right, but several events arrived as one chunk.',
    ...(isAll || before === ''
      ? []
      : ['The last run measured some of the rows and columns; the others are from earlier runs.']),
  ].join('\n')
}

/** The smallest number of rounds of a row. */
function roundsOf({ lines }: Table, results: Results): number {
  const measured = Object.keys(results).filter((row) => row in lines)
  return Math.min(...measured.map((row) => results[row]!.floor?.length ?? 0))
}

/** The smallest number of rounds that the table names. */
function roundsIn(readme: string): number {
  return Number(/medians over (\d+) or more/.exec(readme)?.[1] ?? Infinity)
}

/** The exponent with which the cost of a turn grows with the length of the conversation. */
function exponentOf(rounds: Measured[]): number {
  const turns = rounds[0]!.times.map((_, turn) => median(rounds.map(({ times }) => times[turn]!)))
  // Only the second half, where the fixed cost of a call is small.
  const points = turns
    .map((time, turn) => [Math.log(turn + 1), Math.log(time)] as const)
    .slice(turns.length / 2)
  const [x, y] = [0, 1].map((axis) => mean(points.map((point) => point[axis]!)))
  const rise = points.reduce((sum, [size, time]) => sum + (size - x!) * (time - y!), 0)
  return rise / points.reduce((sum, [size]) => sum + (size - x!) ** 2, 0)
}

function precise(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size < 1 ? 3 : size < 10 ? 2 : 0)
}

function signed(value: number): string {
  return value < 0 ? `−${precise(-value)}` : `+${precise(value)}`
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
