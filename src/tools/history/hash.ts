import { hashOfText } from '../../cassette/written.ts'
import { withoutSecrets } from '../../secrets/without-secrets.ts'
import { layOutLine, quoteStart } from '../../text/printable.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { Sources } from '../sources/source.ts'
import { invalidCommand } from '../terminal/options.ts'
import { hashStoredRequests } from '../../recording/describe.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'

export const hash: Command = defineCommand({
  name: 'history hash',
  usage: '<name or file…>',
  summary:
    'print the hash of each prompt of a history: of its text, or of the request that was recorded',
  options: { ...SOURCE_OPTIONS },
  async run(positionals, values, terminal) {
    if (positionals.length === 0)
      throw invalidCommand('Name a file: vitest-cassette history hash talk.json')
    const sources = new Sources(values, terminal)
    for (const { name, cassette } of sources.open(positionals)) {
      if (!cassette) {
        sources.report(`${name} is no history; the prompts of one have hashes.`)
        continue
      }
      const { exchanges } = cassette
      const hashes = hashStoredRequests(
        exchanges.map(({ id, wire }) => ({ id, request: wire?.request })),
      )
      for (const [index, { id, prompt }] of exchanges.entries()) {
        const text = quoteStart(withoutSecrets(prompt.text).replace(/\s+/g, ' ').trim())
        const line = `${id}  ${hashes[index] ?? hashOfText(prompt.text)}  ${text}`
        terminal.write(`${layOutLine(line)}\n`)
      }
    }
    return sources.code
  },
})
