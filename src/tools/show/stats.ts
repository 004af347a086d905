import { writeCoverage } from './coverage.ts'
import { countTurns } from '../../conversation/conversation.ts'
import { layOutLine } from '../../text/printable.ts'
import {
  costText,
  explainUnknown,
  PRICES,
  PriceTable,
  sumUsage,
  usageOf,
  type UsageTotal,
} from '../../conversation/cost.ts'
import type { ConversationMetadata } from '../../histories/conversation-metadata.ts'
import { openPrices, PRICES_OPTION } from '../terminal/open-prices.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'
import { Sources, type Source } from '../sources/source.ts'
import { tableWidthOf, widthOf, type Command, type Terminal } from '../terminal/command.ts'
import { columnsOf, writeBar, writeTable, type Column } from '../terminal/table.ts'
import { printableJson } from '../terminal/write-json.ts'
import { flag, noFlag, takesText, type OptionValues } from '../terminal/options.ts'

interface Row extends UsageTotal {
  name: string
  turns: number
}

const FIGURES = ['exchanges', 'turns', 'input', 'cached', 'output', 'reasoning', 'cost', 'time']
const COLUMNS = columnsOf(['test', ...FIGURES])

/** Counts tokens, cost and time. */
export const stats: Command = {
  name: 'stats',
  usage: '[name…]',
  summary: 'count tokens, cost and time: by test, by file, and in all',
  options: {
    ...PRICES_OPTION,
    coverage: flag('list what no recorded answer covers: tools, ends, failures, streams'),
    json: flag('write JSON'),
    emoji: noFlag('draw bars in plain ASCII'),
    ...SOURCE_OPTIONS,
    width: takesText(),
  },
  async run(positionals, values, terminal) {
    const prices = openPrices(values, terminal)
    const sources = new Sources(values, terminal)
    if (values.coverage === true) {
      writeCoverage([...sources.open(positionals)], values, terminal)
      return sources.code
    }
    const rows = [...sources.open(positionals)].map((source) => count(source, prices))
    const files = totalsByFile(rows)
    const total = { name: 'all', ...sum(rows) }
    if (values.json === true) {
      const data = { prices: PRICES.date, tests: rows, files, total }
      terminal.write(printableJson(data) + '\n')
    } else terminal.write(print(rows, files, total, values, terminal))
    return sources.code
  },
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
  return `${total.inputTokens} in, ${total.outputTokens} out, ${all} in all, cost ${costText(total)}`
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
  const cells = [...rows, ...files, total].map(cellsOf)
  const [head, ...lines] = writeTable(COLUMNS, cells, tableWidthOf(terminal, values))
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
    ...explainCost(total).map((line) => dim(line)),
    '',
  ].join('\n')
}

function drawBars(rows: Row[], width: number, mark: string): string[] {
  const tokens = rows.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)
  const most = tokens.reduce((one, other) => Math.max(one, other), 0)
  if (most === 0) return []
  const room = Math.max(10, Math.floor(width / 3))
  const cells = rows.map(({ name }, index) => [
    layOutLine(name),
    tokens[index]!.toLocaleString('en'),
    writeBar(tokens[index]! / most, room, mark),
  ])
  const columns: Column[] = [
    { title: '' },
    { title: 'tokens', align: 'right' },
    { title: ' '.repeat(room) },
  ]
  return [...writeTable(columns, cells, width).slice(1), '']
}

function cellsOf(row: Row): string[] {
  const number = (value: number): string => value.toLocaleString('en')
  return [
    layOutLine(row.name),
    number(row.exchanges),
    number(row.turns),
    number(row.inputTokens),
    number(row.cachedTokens),
    number(row.outputTokens),
    number(row.reasoningTokens),
    costText(row),
    `${(row.durationMs / 1_000).toFixed(1)} s`,
  ]
}

function explainCost(total: UsageTotal): string[] {
  return [`Prices of ${PRICES.date}; --prices takes your own.`, ...explainUnknown(total)]
}
