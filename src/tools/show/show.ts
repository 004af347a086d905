import { summaryOf } from '../../conversation/summary.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { knowledgeOf, knowledgeRows, seePictures } from '../sources/knowledge.ts'
import { Sources } from '../sources/source.ts'
import { takenBy } from './stats.ts'
import { printJson } from '../terminal/write-json.ts'
import { flag, invalidCommand, wordOf } from '../terminal/options.ts'
import { FORMAT_OPTIONS, FORMATS, severalContexts, writeSource } from '../sources/write-source.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'

export const show: Command = defineCommand({
  name: 'show',
  usage: '[name or file…]',
  summary: 'show requests and answers, as a conversation or as data',
  options: {
    summary: flag('summarise it in a few lines, with its model, times and tokens'),
    json: flag('write JSON: one list, with all that match'),
    ...FORMAT_OPTIONS,
    ...SOURCE_OPTIONS,
  },
  async run(positionals, values, terminal) {
    const format = wordOf(values, 'format', FORMATS)
    const sources = new Sources(values, terminal)
    if (values.json) {
      if (values.format !== undefined || values.summary)
        throw invalidCommand('--json is a format of its own: give neither --format nor --summary.')
      const all: unknown[] = []
      for (const source of sources.open(positionals)) {
        const known = { ...knowledgeOf(source), pictures: await seePictures(source) }
        all.push(JSON.parse(writeSource(source, 'json', values, terminal, known)))
      }
      printJson(all, terminal)
      return sources.code
    }
    let isFirst = true
    for (const source of sources.open(positionals)) {
      if (!isFirst && format === 'context') throw severalContexts('cassettes', source.name)
      const isTold = values.summary || format === 'transcript' || format === 'json'
      const pictures = isTold ? await seePictures(source) : []
      const known = { ...knowledgeOf(source), pictures }
      const text = values.summary
        ? summaryOf({ ...source, taken: takenBy(source), known: knowledgeRows(known) })
        : writeSource(source, format, values, terminal, known)
      terminal.write((isFirst ? '' : '\n') + text + '\n')
      isFirst = false
    }
    return sources.code
  },
})
