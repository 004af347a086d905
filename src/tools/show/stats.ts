import { countTurns } from '../../conversation/conversation.ts'
import {
  costText,
  adviseOnUnknown,
  figureText,
  PRICES,
  PriceTable,
  sumUsage,
  usageOf,
  type UsageTotal,
} from '../../conversation/cost.ts'
import type { ConversationMetadata } from '../../histories/conversation-metadata.ts'
import { RunCalls } from '../sources/slow-calls.ts'
import { defined } from '../../providers/fields.ts'
import { openPrices } from '../terminal/open-prices.ts'
import { Sources, type Source } from '../sources/source.ts'
import { type ExitCode, tableWidthOf, type Terminal, widthOf } from '../terminal/command.ts'
import { type ColumnOf, tableOf } from '../terminal/table.ts'
import { printJson } from '../terminal/write-json.ts'
import type { OptionValues } from '../terminal/options.ts'

interface Row extends UsageTotal {
  name: string
  turns: number
}

const COLUMNS: Array<ColumnOf<Row>> = [
  { title: 'test', text: ({ name }) => name },
  figure('exchanges', ({ exchanges }) => digits(exchanges)),
  figure('turns', ({ turns }) => digits(turns)),
  tokens('input', ({ inputTokens }) => inputTokens),
  tokens('cached', ({ cachedTokens }) => cachedTokens),
  tokens('output', ({ outputTokens }) => outputTokens),
  tokens('reasoning', ({ reasoningTokens }) => reasoningTokens),
  figure('cost', costText),
  figure('time', ({ durationMs }) => `${(durationMs / 1_000).toFixed(1)} s`),
]

function figure<Data>(title: string, text: (row: Data) => string): ColumnOf<Data> {
  return { title, align: 'right', text }
}

function tokens(title: string, count: (row: Row) => number): ColumnOf<Row> {
  return figure(title, (row) => figureText(count(row), row))
}

function digits(value: number): string {
  return value.toLocaleString('en')
}

/** Counts tokens, cost and time: by test, by file, and in all. */
export function writeStats(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): ExitCode {
  const prices = openPrices(values, terminal)
  const sources = new Sources(values, terminal)
  const calls = new RunCalls(terminal)
  const rows = [...sources.open(names)].map((source) => {
    const { store, root, path, cassette } = source
    if (store && root !== undefined && path !== undefined && cassette)
      calls.add(root, store.pathFrom(root, path), path, cassette.timestamp)
    return count(source, prices)
  })
  const files = totalsByFile(rows)
  const total = { name: 'all', ...sum(rows) }
  const { lastRun } = calls
  const data = { prices: PRICES.date, tests: rows, files, total, ...defined({ lastRun }) }
  if (values.json) printJson(data, terminal)
  else {
    terminal.write(print(rows, files, total, values, terminal))
    for (const line of calls.tell(terminal)) terminal.write(`${line}\n`)
  }
  return sources.code
}

function count({ title, conversations, stated }: Source, prices: PriceTable): Row {
  const steps = conversations.flatMap((conversation) => conversation.steps)
  const turns = countTurns(conversations)
  const counted = steps.map((step) => usageOf(step, prices))
  // Without exchanges, the usage that the metadata states counts: it is not zero.
  const totals = stated && steps.length === 0 ? [statedUsage(stated.token_usage)] : counted
  return { name: title, turns, ...sumUsage(totals) }
}

function statedUsage(usage: ConversationMetadata['token_usage']): UsageTotal {
  return {
    ...sumUsage([]),
    exchanges: 1,
    inputTokens: usage.input_tokens,
    cachedTokens: usage.cached_tokens ?? 0,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.reasoning_tokens ?? 0,
    cost: usage.total_cost ?? 0,
    unpriced: typeof usage.total_cost === 'number' ? 0 : 1,
  }
}

/** Tokens and cost of a conversation in words. */
export function takenBy(source: Source): string {
  const total = count(source, new PriceTable())
  const all = total.inputTokens + total.outputTokens
  const [input, output, both] = [total.inputTokens, total.outputTokens, all].map((count) =>
    figureText(count, total),
  )
  return `${input} in, ${output} out, ${both} in all, cost ${costText(total)}`
}

function sum(rows: Row[]): Omit<Row, 'name'> {
  return { turns: rows.reduce((total, { turns }) => total + turns, 0), ...sumUsage(rows) }
}

function totalsByFile(rows: Row[]): Row[] {
  const files = Map.groupBy(rows, ({ name }) => name.split(' > ')[0]!)
  return [...files].map(([name, rows]) => ({ name, ...sum(rows) }))
}

function print(
  rows: Row[],
  files: Row[],
  total: Row,
  values: OptionValues,
  terminal: Terminal,
): string {
  const { bold, dim } = terminal.colors
  const all = [...rows, ...files, total]
  const [head, ...lines] = tableOf(COLUMNS, all, tableWidthOf(terminal, values))
  const tests = lines.slice(0, rows.length)
  const sums = lines.slice(rows.length, -1)
  return [
    bold(head!),
    ...tests,
    ...(files.length > 1 ? ['', ...sums] : []),
    '',
    bold(lines.at(-1)!),
    '',
    ...drawBars(rows, widthOf(terminal, values), values.emoji === false ? '#' : '█'),
    dim(`Prices of ${PRICES.date}; --prices takes your own.`),
    ...adviseOnUnknown(total).map((line) => dim(line)),
    '',
  ].join('\n')
}

function drawBars(rows: Row[], width: number, mark: string): string[] {
  const tokensOf = ({ inputTokens, outputTokens }: Row): number => inputTokens + outputTokens
  const most = rows.reduce((one, row) => Math.max(one, tokensOf(row)), 0)
  if (most === 0) return []
  const room = Math.max(10, Math.floor(width / 3))
  const barOf = (share: number): string =>
    mark.repeat(share > 0 ? Math.max(1, Math.round(share * room)) : 0)
  const columns: Array<ColumnOf<Row>> = [
    { title: '', text: ({ name }) => name },
    tokens('tokens', tokensOf),
    { title: ' '.repeat(room), text: (row) => barOf(tokensOf(row) / most) },
  ]
  return [...tableOf(columns, rows, width).slice(1), '']
}
