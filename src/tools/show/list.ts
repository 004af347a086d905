import { countTurns } from '../../conversation/conversation.ts'
import { layOutLine } from '../../text/printable.ts'
import { checkIndex } from '../../histories/workspace-index.ts'
import { openStore, Sources, type Source } from '../sources/source.ts'
import {
  type Command,
  defineCommand,
  type ExitCode,
  tableWidthOf,
  type Terminal,
  WIDTH_OPTION,
} from '../terminal/command.ts'
import { knowledgeOf, seePictures } from '../sources/knowledge.ts'
import { tableOf, type ColumnOf } from '../terminal/table.ts'
import { printJson } from '../terminal/write-json.ts'
import { flag, type OptionValues, textOption } from '../terminal/options.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'

/** Lists conversations, one line each. */
export async function listSources(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  const sources = new Sources(values, terminal)
  const opened = [...sources.open(names)]
  const rows = opened.map(describe)
  const store = textOption(values, 'store')
  if (store !== undefined) sources.reportAll(store, checkIndex(openStore(store, values, terminal)))
  if (values.json) {
    const data: object[] = []
    for (const [at, row] of rows.entries())
      data.push({ ...row, pictures: await seePictures(opened[at]!) })
    printJson(data, terminal)
    return sources.code
  }
  // A fresh checkout has no statistics of runs.
  const columns = COLUMNS.filter(({ isIn }) => isIn === undefined || rows.some(isIn))
  const [head, ...lines] = tableOf(columns, rows, tableWidthOf(terminal, values))
  const invalid = rows.flatMap(({ name, invalid }) =>
    invalid.map((reason) => terminal.colors.yellow(layOutLine(`${name} is invalid: ${reason}`))),
  )
  const table = [terminal.colors.bold(head!), ...lines]
  terminal.write([...table, ...(invalid.length > 0 ? [''] : []), ...invalid].join('\n') + '\n')
  return sources.code
}

export const listStored: Command = defineCommand({
  name: 'history list',
  usage: '[id…] --store <folder>',
  summary: 'list stored conversations',
  options: { json: flag('write JSON'), ...SOURCE_OPTIONS, ...WIDTH_OPTION },
  run: listSources,
})

type Row = ReturnType<typeof describe>

interface ListColumn extends ColumnOf<Row> {
  /** Whether a row has a value. The column is left out if no row has one. */
  isIn?: (row: Row) => boolean
}

const isUsed = ({ runs }: Row): boolean => runs !== undefined

const COLUMNS: ListColumn[] = [
  { title: 'name', text: ({ name }) => name },
  { title: 'exchanges', align: 'right', text: ({ exchanges }) => String(exchanges) },
  { title: 'turns', align: 'right', text: ({ turns }) => String(turns) },
  { title: 'threads', align: 'right', text: ({ threads }) => String(threads) },
  { title: 'model', text: ({ models }) => models.join(', ') },
  { title: 'recorded', text: ({ timestamp }) => timestamp.slice(0, 10) },
  { title: 'used', isIn: isUsed, text: ({ runs }) => runs?.lastUsed.slice(0, 10) ?? '' },
  { title: 'attempts', isIn: isUsed, align: 'right', text: countedIn('attempts') },
  { title: 'failed', isIn: isUsed, align: 'right', text: countedIn('failures') },
]

function countedIn(figure: 'attempts' | 'failures'): (row: Row) => string {
  return ({ runs }) => String(runs?.[figure] ?? '')
}

function describe(source: Source) {
  const { name, title, timestamp, conversations, cassette, stated } = source
  const said = conversations.flatMap(({ model }) => model ?? [])
  const models = said.length > 0 ? said : (stated?.model_id ?? [])
  return {
    name,
    conversation_id: title,
    timestamp,
    exchanges: cassette?.exchanges.length ?? (stated ? 1 : 0),
    turns: countTurns(conversations),
    threads: conversations.length,
    models: [...new Set([models].flat())],
    ...knowledgeOf(source),
  }
}
