import { REPORT_FOLDER } from '../../config/paths.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { writePage } from '../page/write-page.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { PRICES_OPTION } from '../terminal/open-prices.ts'
import { invalidCommand, takesPath } from '../terminal/options.ts'
import { DIR_OPTION } from '../sources/cassette-folders.ts'

export const report: Command = defineCommand({
  name: 'report',
  usage: '',
  summary: 'write all conversations as a page for a browser, without a server',
  options: {
    out: takesPath('folder', `the folder to write (default: ${REPORT_FOLDER})`),
    ...PRICES_OPTION,
    ...DIR_OPTION,
  },
  async run(positionals, values, terminal) {
    if (positionals.length > 0)
      throw invalidCommand(
        `A report has all cassettes, and takes no ${positionals.map(layOutLine).join(' ')}. Name their folder with --dir, and that of the report with --out.`,
      )
    const folder = values.out ?? REPORT_FOLDER
    const { page, cassettes, isPart } = await writePage(folder, values, terminal)
    terminal.write(`${page}  ${countOf(cassettes, 'cassette')}\n`)
    return isPart ? 1 : 0
  },
})
