import { basename, relative, resolve } from 'node:path'
import pc from 'picocolors'
import { writeAtomically } from '../../cassette/write-file.ts'
import { hasGoneOn, storeConversation } from '../../histories/stored-conversation.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { writeBackups } from './backups.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { openStore, Sources, type Source } from '../sources/source.ts'
import { writeIndex } from '../../histories/workspace-index.ts'
import { openPrices, PRICES_OPTION } from '../terminal/open-prices.ts'
import { invalidCommand, takesPath, wordOf } from '../terminal/options.ts'
import { FORMAT_OPTIONS, FORMATS, writeSource } from '../sources/write-source.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'

const EXTENSIONS = {
  transcript: 'txt',
  context: 'json',
  history: 'json',
  json: 'json',
  markdown: 'md',
}

/** Writes cassettes into the store of conversations, or into files. */
export const exportCommand: Command = defineCommand({
  name: 'history export',
  usage: '[name…] --store <folder> | --out <folder> [--format …] | --store <folder> --out <folder>',
  summary: 'write cassettes as stored conversations (JSONL), or as files in a format of show',
  options: {
    ...SOURCE_OPTIONS,
    store: takesPath(
      'folder',
      'the folder of stored conversations to write to; with --out, to read from',
    ),
    out: takesPath('folder', 'a folder to write one file for each cassette to'),
    ...FORMAT_OPTIONS,
    ...PRICES_OPTION,
  },
  async run(positionals, values, terminal) {
    const { store: folder, ...rest } = values
    const out = values.out
    const sources = new Sources(out === undefined ? rest : values, terminal)
    if (folder === undefined && out === undefined) {
      throw invalidCommand(
        'Say where to: --store <folder> for stored conversations, or --out <folder> for files.',
      )
    }
    const isBackup = folder !== undefined && out !== undefined && values.format === undefined
    const written = isBackup ? await writeBackups(positionals, values, sources, terminal) : []
    const store = out === undefined ? openStore(String(folder), values, terminal) : undefined
    for (const source of isBackup ? [] : sources.open(positionals)) {
      if (out !== undefined) {
        const format = wordOf(values, 'format', FORMATS)
        const file = resolve(terminal.cwd, out, `${idOf(source)}.${EXTENSIONS[format]}`)
        const text = writeSource(source, format, values, {
          ...terminal,
          colors: pc.createColors(false),
        })
        await writeAtomically(file, text + '\n')
        written.push(file)
      } else if (store && source.cassette) {
        const id = idOf(source)
        if (store.list().includes(id) && hasGoneOn(store.read(id).messages)) {
          sources.report(
            `The conversation ${id} went on since it was exported, and is left as it is. ` +
              `To take it back to its cassette: vitest-cassette history delete ${id} --store ${String(folder)}`,
          )
          continue
        }
        const prices = openPrices(values, terminal)
        const stored = storeConversation(source.cassette, id, store.workspace.directory, prices)
        if (source.path !== undefined) stored.metadata.cassette_path = source.path
        written.push(await store.write(stored, stored.blobs))
      }
    }
    if (store) await writeIndex(store)
    for (const file of written) terminal.write(`${relative(terminal.cwd, file)}\n`)
    return sources.code
  },
})

/** The name of the cassette, made unique: two test files may have tests of one title. */
function idOf({ name }: Source): string {
  const slug = basename(name, '.json')
    .replace(/[^\w.-]/g, '_')
    .replace(/^[^\w]+/, '')
  return slug === name ? slug : `${slug || 'conversation'}-${sha256(name).slice(0, 6)}`
}
