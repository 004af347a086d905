import { resolve } from 'node:path'
import { layOutLine } from '../../text/printable.ts'
import { ConversationStore } from '../../histories/conversation-store.ts'
import { type Command, defineCommand, tableWidthOf, WIDTH_OPTION } from '../terminal/command.ts'
import { writeTable } from '../terminal/table.ts'
import { printableJson } from '../terminal/write-json.ts'
import { flag, invalidCommand, takesPath } from '../terminal/options.ts'

export const workspaces: Command = defineCommand({
  name: 'history workspaces',
  usage: '--store <folder>',
  summary: 'list the working directories whose conversations a store holds',
  options: {
    store: takesPath('folder', 'the folder of stored conversations'),
    json: flag('write JSON'),
    ...WIDTH_OPTION,
  },
  async run(_, values, terminal) {
    const store = values.store
    if (store === undefined)
      throw invalidCommand('Say which store: history workspaces --store <folder>')
    const found = new ConversationStore({
      store: resolve(terminal.cwd, store),
      workspace: terminal.cwd,
    }).workspaces()
    if (values.json) {
      terminal.write(`${printableJson(found)}\n`)
      return 0
    }
    const columns = [
      { title: 'directory' },
      { title: 'conversations', align: 'right' as const },
      { title: '--workspace' },
    ]
    const cells = found.map(({ folder, directory, exists, conversations }) => [
      `${layOutLine(directory)}${exists ? '' : ' (gone)'}`,
      String(conversations),
      layOutLine(folder),
    ])
    const [head, ...lines] = writeTable(columns, cells, tableWidthOf(terminal, values))
    terminal.write([terminal.colors.bold(head!), ...lines].join('\n') + '\n')
    return 0
  },
})
