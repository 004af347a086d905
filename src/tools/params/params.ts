import type { ParamValues } from '../../config/check-params.ts'
import { countOf } from '../../text/count-of.ts'
import { acceptProposal } from '../../recording/propose-params.ts'
import { layOutLine } from '../../text/printable.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { saveCassette } from '../sources/save-cassette.ts'
import { placeOf, Sources } from '../sources/source.ts'
import { flag } from '../terminal/options.ts'
import { DIR_OPTION } from '../sources/cassette-folders.ts'

export const params: Command = defineCommand({
  name: 'params',
  usage: '[name…]',
  summary: 'show the parameters of cassettes, and those that a model proposed; accept them',
  options: { accept: flag('put {{name}} in the place of the proposed values'), ...DIR_OPTION },
  async run(positionals, values, terminal) {
    const sources = new Sources(values, terminal)
    let accepted = 0
    let open = 0
    for (const source of sources.open(positionals)) {
      const { title, cassette } = source
      const { params: declared, proposedParams: proposed } = cassette ?? {}
      if (!cassette || (!declared && !proposed)) continue
      terminal.write(`${terminal.colors.bold(layOutLine(title))}\n`)
      if (declared) terminal.write(`  ${spell(declared)}\n`)
      if (!proposed) continue
      if (values.accept) {
        await saveCassette(placeOf(source, terminal), acceptProposal(cassette), terminal)
        accepted++
        terminal.write(
          `  accepted; now the test has to say: ${spell({ ...declared, ...proposed })}\n`,
        )
      } else {
        open++
        terminal.write(`  proposed: ${spell(proposed)}\n`)
      }
    }
    if (accepted > 0) terminal.write(`\nChanged ${countOf(accepted, 'cassette')}.\n`)
    if (open > 0)
      terminal.write(
        '\nTo accept the proposed parameters: npx vitest-cassette params --accept [name…]\n',
      )
    return sources.code
  },
})

function spell(values: ParamValues): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return layOutLine(`cassette.params({ ${pairs.join(', ')} })`)
}
