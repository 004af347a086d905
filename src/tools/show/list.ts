import { countTurns } from '../../conversation/conversation.ts'
import { layOutLine } from '../../text/printable.ts'
import { checkIndex } from '../../histories/workspace-index.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'
import { openStore, Sources, type Source } from '../sources/source.ts'
import { tableWidthOf, type Command } from '../terminal/command.ts'
import { knowledgeOf, seePictures } from '../sources/knowledge.ts'
import { writeTable, type Column } from '../terminal/table.ts'
import { printableJson } from '../terminal/write-json.ts'
import { flag, takesText, textOption } from '../terminal/options.ts'

/** Lists conversations. */
export const list: Command = {
  name: 'list',
  usage: '[name…]',
  summary: 'list the recorded conversations, one line each',
  options: { json: flag('write JSON'), ...SOURCE_OPTIONS, width: takesText() },
  async run(positionals, values, terminal) {
    const sources = new Sources(values, terminal)
    const opened = [...sources.open(positionals)]
    const rows = opened.map(describe)
    const store = textOption(values, 'store')
    if (store !== undefined)
      sources.reportAll(store, checkIndex(openStore(store, values, terminal)))
    if (values.json === true) {
      const data: object[] = []
      for (const [at, row] of rows.entries())
        data.push({ ...row, pictures: await seePictures(opened[at]!) })
      terminal.write(printableJson(data) + '\n')
      return sources.code
    }
    // A fresh checkout has no statistics of runs.
    const columns = COLUMNS.filter(({ isIn }) => isIn === undefined || rows.some(isIn))
    const cells = rows.map((row) => columns.map(({ text }) => layOutLine(text(row))))
    const [head, ...lines] = writeTable(columns, cells, tableWidthOf(terminal, values))
    const invalid = rows.flatMap(({ name, invalid }) =>
      invalid.map((reason) => terminal.colors.yellow(layOutLine(`${name} is invalid: ${reason}`))),
    )
    const table = [terminal.colors.bold(head!), ...lines]
    terminal.write([...table, ...(invalid.length > 0 ? [''] : []), ...invalid].join('\n') + '\n')
    return sources.code
  },
}

type Row = ReturnType<typeof describe>

interface ListColumn extends Column {
  text: (row: Row) => string
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
  { title: 'used', text: ({ runs }) => runs?.lastUsed.slice(0, 10) ?? '', isIn: isUsed },
  {
    title: 'attempts',
    align: 'right',
    text: ({ runs }) => String(runs?.attempts ?? ''),
    isIn: isUsed,
  },
  {
    title: 'failed',
    align: 'right',
    text: ({ runs }) => String(runs?.failures ?? ''),
    isIn: isUsed,
  },
]

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
