import { countTurns } from '../conversation/conversation.ts'
import { layOutLine } from '../diff/render/printable.ts'
import { checkIndex } from '../resume/workspace-index.ts'
import { openStore, SOURCE_EXPLAINS, SOURCE_OPTIONS, Sources, type Source } from './source.ts'
import { textOf, widthOf, type Command } from './terminal/command.ts'
import { writeTable } from './terminal/table.ts'
import { writeJson } from './terminal/write-json.ts'

/** Lists conversations. */
export const list: Command = {
  name: 'list',
  usage: '[name…]',
  summary: 'list the recorded conversations, one line each',
  options: { ...SOURCE_OPTIONS, json: { type: 'boolean' }, width: { type: 'string' } },
  explains: { json: 'write JSON', ...SOURCE_EXPLAINS },
  async run(positionals, values, terminal) {
    const sources = new Sources(values, terminal)
    const rows = [...sources.open(positionals)].map(describe)
    const store = textOf(values, 'store')
    if (store !== undefined)
      sources.reportAll(store, checkIndex(openStore(store, values, terminal)))
    if (values.json === true) {
      terminal.write(writeJson(rows) + '\n')
      return sources.code
    }
    const columns = [
      { title: 'name' },
      { title: 'exchanges', align: 'right' as const },
      { title: 'turns', align: 'right' as const },
      { title: 'threads', align: 'right' as const },
      { title: 'model' },
      { title: 'recorded' },
    ]
    // A name is there to be typed: it is shortened for eyes only.
    const isForEyes = terminal.columns !== undefined || values.width !== undefined
    const width = isForEyes ? widthOf(terminal, values) : Infinity
    const cells = rows.map(({ name, exchanges, turns, threads, models, timestamp }) => [
      layOutLine(name),
      String(exchanges),
      String(turns),
      String(threads),
      layOutLine(models.join(', ')),
      timestamp.slice(0, 10),
    ])
    const [head, ...lines] = writeTable(columns, cells, width)
    terminal.write([terminal.colors.bold(head!), ...lines].join('\n') + '\n')
    return sources.code
  },
}

function describe({ name, title, timestamp, conversations, cassette }: Source) {
  const models = conversations.flatMap(({ model }) => model ?? [])
  return {
    name,
    conversation_id: title,
    timestamp,
    exchanges: cassette?.exchanges.length ?? 0,
    turns: conversations.reduce((sum, conversation) => sum + countTurns(conversation), 0),
    threads: conversations.length,
    models: [...new Set(models)],
  }
}
