import { quoteWord } from '../../text/command-line.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { writeIndex } from '../../histories/workspace-index.ts'
import { type Command, defineCommand, isConfirmed, YES_OPTION } from '../terminal/command.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'
import { openStore } from '../sources/source.ts'
import { invalidCommand, takesPath } from '../terminal/options.ts'

export const deleteCommand: Command = defineCommand({
  name: 'history delete',
  usage: '<id…> --store <folder>',
  summary: 'delete stored conversations',
  options: {
    store: takesPath('folder', 'the folder of stored conversations'),
    workspace: SOURCE_OPTIONS.workspace,
    ...YES_OPTION,
  },
  async run(ids, values, terminal) {
    const store = values.store
    if (store === undefined || ids.length === 0)
      throw invalidCommand(
        'Say which conversations, by their ids, and where: history delete <id…> --store <folder>\n' +
          'A cassette is a file that you delete yourself; prune finds those that no test uses.',
      )
    const folder = openStore(store, values, terminal)
    const known = folder.list()
    const missing = ids.filter((id) => !known.includes(id))
    if (missing.length > 0)
      throw invalidCommand(
        `There is no conversation ${missing.map(layOutLine).join(', ')} in ${store}, so none was deleted.\n` +
          `List all with: vitest-cassette history list --store ${quoteWord(store)}`,
      )
    for (const id of ids)
      terminal.write(`${layOutLine(id)}  ${layOutLine(folder.read(id).metadata.title)}\n`)
    const conversations = countOf(ids.length, 'conversation')
    if (!(await isConfirmed('Delete', conversations, values, terminal))) return 1
    for (const id of ids) folder.delete(id)
    await writeIndex(folder)
    terminal.write(`Deleted ${conversations}.\n`)
    return 0
  },
})
