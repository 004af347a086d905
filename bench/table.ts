import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { mergeRows } from './merge-rows.ts'
import { vitestRows } from './vitest-rows.ts'
import { workloads, type Measured } from './workloads.ts'

/** The measurement of each round, by row and contestant. */
export type Results = Record<string, Record<string, Measured[]>>

const README = join(import.meta.dirname, 'README.md')
const START = '<!-- bench -->'
const END = '<!-- /bench -->'

/** The table: ratios to the floor, medians over the rounds; the floor itself in milliseconds. */
export function printTable(results: Results, contestants: string[]): string {
  const shown = contestants.filter((name) => name !== 'floor')
  const head = ['workload', 'floor', ...shown, 'target']
  const lines = Object.entries(results).map(([row, measured]) => {
    const { title, target, memory } = { ...workloads[row], ...vitestRows[row] } as Row
    const floor = measured.floor?.map(unitOf) ?? []
    const unit = memory ? 'MB' : 'ms'
    return [
      title,
      `${precise(median(floor))} ${unit}`,
      ...shown.map((name) => cell(measured[name], floor)),
      `≤ ${target}`,
    ]
  })
  const growth = growthLine(results, contestants)
  const table = [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...lines, ...growth]
  const text = table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return `${text}\n\n${ranOn(roundsOf(results))}`
}

/** Writes the table between its marks in bench/README.md. Rows and columns that were not measured stay. */
export function writeTable(results: Results, contestants: string[]): void {
  const readme = readFileSync(README, 'utf8')
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`bench/README.md has no ${START} … ${END}`)
  const text = printTable(results, contestants)
  const known = rowsIn(readme.slice(start, end))
  const rows = mergeRows(known, rowsIn(text))
  const ran = ranOn(Math.min(roundsOf(results), known.length > 0 ? roundsIn(readme) : Infinity))
  const table = `${rows.join('\n')}\n\n${ran}`
  writeFileSync(README, `${readme.slice(0, start)}${START}\n\n${table}\n\n${readme.slice(end)}`)
}

function rowsIn(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('|'))
}

interface Row {
  title: string
  target: number
  memory?: boolean
}

function cell(measured: Measured[] | undefined, floor: number[]): string {
  if (!measured) return '–'
  const wrong = measured.find((one) => one.wrong !== undefined)
  if (wrong)
    return `*${wrong.wrong!.startsWith('answer') || wrong.wrong!.startsWith('did') ? 'wrong' : wrong.wrong}*`
  // The ratio of each round, because a pause of the machine slows both.
  const ratio = median(measured.map((one, round) => unitOf(one) / floor[round]!))
  return ratio.toFixed(2) + (measured.some(({ note }) => note) ? '¹' : '')
}

/** The median of a process, so that a pause of the machine does not count. */
function unitOf({ times }: Measured): number {
  return median(times)
}

/** The exponent with which the cost of a turn grows with the length of the conversation. */
function growthLine({ conversation }: Results, contestants: string[]): string[][] {
  if (!conversation) return []
  const cells = contestants.map((name) => {
    const rounds = conversation[name]?.filter(({ wrong }) => !wrong) ?? []
    return rounds.length > 0 ? exponentOf(rounds).toFixed(2) : '–'
  })
  return [['growth of a turn’s cost, exponent', ...cells, '≤ 1.05']]
}

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

/** The smallest number of rounds of a row. */
function roundsOf(results: Results): number {
  return Math.min(...Object.values(results).map(({ floor }) => floor?.length ?? 0))
}

/** The smallest number of rounds that the table names. */
function roundsIn(readme: string): number {
  return Number(/medians over (\d+) or more/.exec(readme)?.[1] ?? Infinity)
}

function ranOn(rounds: number): string {
  const [cpu] = cpus()
  const machine = `${cpu?.model.trim() || process.arch} (${cpus().length} cores), Node ${process.versions.node}`
  const date = new Date().toISOString().slice(0, 10)
  return [
    `Ratios to the floor, a stubbed fetch that knows the answer; medians over ${rounds} or more interleaved rounds, a process each.`,
    `${machine}, ${date}.`,
    'A tool that gave a wrong answer has no figure. ¹ Right, but several events arrived as one chunk.',
  ].join('\n')
}

function precise(value: number): string {
  return value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 0)
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
