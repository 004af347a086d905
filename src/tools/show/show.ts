import { summaryOf } from '../../conversation/summary.ts'
import { countOf } from '../../text/count-of.ts'
import { HTML_OPTION, writePage } from '../page/write-page.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'
import { knowledgeOf, knowledgeRows, seePictures } from '../sources/knowledge.ts'
import { Sources } from '../sources/source.ts'
import { FORMAT_OPTIONS, FORMATS, severalContexts, writeSource } from '../sources/write-source.ts'
import { type Command, defineCommand, type ExitCode, type Terminal } from '../terminal/command.ts'
import { PRICES_OPTION } from '../terminal/open-prices.ts'
import { flag, invalidCommand, type OptionValues, wordOf } from '../terminal/options.ts'
import { printJson } from '../terminal/write-json.ts'
import { writeCoverage } from './coverage.ts'
import { listSources } from './list.ts'
import { takenBy, writeStats } from './stats.ts'

/** What is shown instead of the list, or of whole conversations. */
const WAYS = ['stats', 'coverage', 'html', 'summary', 'format'] as const

export const show: Command = defineCommand({
  name: 'show',
  usage: '[name or file…]',
  summary: 'list cassettes; with a name, show its conversation',
  options: {
    summary: flag('summarise in a few lines: model, times and tokens'),
    stats: flag('count tokens, cost and time: by test, by file, and in all'),
    coverage: flag('list what no recorded response covers: tools, ends, failures, streams'),
    ...HTML_OPTION,
    json: flag('write JSON'),
    ...PRICES_OPTION,
    ...FORMAT_OPTIONS,
    ...SOURCE_OPTIONS,
  },
  async run(names, values, terminal) {
    const [way, other] = WAYS.filter((name) => values[name] !== undefined)
    if (way !== undefined && other !== undefined)
      throw invalidCommand(`--${way} and --${other} contradict each other. Use one of them.`)
    if (values.html !== undefined) return writeHtml(values.html, names, values, terminal)
    if (values.stats) return writeStats(names, values, terminal)
    if (values.coverage) return writeCoverage(names, values, terminal)
    const isList = way === undefined && names.length === 0 && values.thread === undefined
    if (isList && !values.full) return listSources(names, values, terminal)
    return showConversations(names, values, terminal)
  },
})

/** Writes all cassettes as pages for a browser. */
async function writeHtml(
  folder: string,
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  if (names.length > 0)
    throw invalidCommand(
      '--html writes all cassettes, and takes no names. Choose a folder of cassettes with --dir.',
    )
  const { page, cassettes, isPart } = await writePage(folder, values, terminal)
  if (values.json) printJson({ page, cassettes }, terminal)
  else terminal.write(`${page}  ${countOf(cassettes, 'cassette')}\n`)
  return isPart ? 1 : 0
}

async function showConversations(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): Promise<ExitCode> {
  const format = wordOf(values, 'format', FORMATS)
  const sources = new Sources(values, terminal)
  if (values.json) {
    if (values.format !== undefined || values.summary)
      throw invalidCommand('--json is a format of its own: give neither --format nor --summary.')
    const all: unknown[] = []
    for (const source of sources.open(names)) {
      const known = { ...knowledgeOf(source), pictures: await seePictures(source) }
      all.push(JSON.parse(writeSource(source, 'json', values, terminal, known)))
    }
    printJson(all, terminal)
    return sources.code
  }
  let isFirst = true
  for (const source of sources.open(names)) {
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
}
