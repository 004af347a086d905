import {
  countOnlyNamed,
  PROVIDER_FORMATS,
  providerMessages,
} from '../../conversation/provider-messages.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import { importCommand } from './import.ts'
import { Sources } from '../sources/source.ts'
import { printableJson } from '../terminal/write-json.ts'
import {
  flag,
  invalidCommand,
  type OptionValues,
  takes,
  takesText,
  wordOf,
} from '../terminal/options.ts'
import { chooseThreads, THREAD_OPTION } from '../sources/write-source.ts'
import { SOURCE_OPTIONS } from '../sources/cassette-folders.ts'

export const resume: Command = defineCommand({
  name: 'history resume',
  usage: '<name>',
  summary: 'turn a conversation into messages ready for a provider, as JSON',
  options: {
    for: takes(PROVIDER_FORMATS, `${PROVIDER_FORMATS.join(', ')} (default: openai-chat)`),
    ...THREAD_OPTION,
    test: takesText("the test that goes on from there with RECORD=new: 'test/a.test.ts > title'"),
    force: flag('with --test, replace a cassette that exists'),
    ...SOURCE_OPTIONS,
  },
  async run(positionals, values, terminal) {
    if (values.test !== undefined) return await resumeInTest(positionals, values, terminal)
    const format = wordOf(values, 'for', PROVIDER_FORMATS)
    const sources = new Sources(values, terminal)
    const found = positionals.length === 0 ? [] : [...sources.open(positionals)]
    const [source, ...others] = found
    if (!source || others.length > 0) {
      const names = found.map(({ name }) => `\n  ${layOutLine(name)}`).join('')
      throw invalidCommand(`Name one conversation to resume.${names}`)
    }
    const [conversation, ...more] = chooseThreads(source, values)
    if (!conversation || more.length > 0) {
      const count = source.conversations.length
      if (count === 0)
        throw invalidCommand(
          `${layOutLine(source.name)} has no messages yet, so there is nothing to resume.`,
        )
      throw invalidCommand(
        `${layOutLine(source.name)} has ${count} threads. Choose one with --thread 1 to ${count}.`,
      )
    }
    const messages = providerMessages(conversation, format, source.pictures)
    terminal.write(printableJson(messages) + '\n')
    const named = countOnlyNamed(conversation.entries, source.pictures)
    if (named > 0)
      terminal.warn(
        `These messages only name ${countOf(named, 'attachment')} of the conversation. Put the content in before you send them.`,
      )
    return sources.code
  },
})

/** Writes the conversation as the cassette of a test. A run in mode `new` replays it and goes on from there. */
async function resumeInTest(
  positionals: string[],
  values: OptionValues,
  terminal: Terminal,
): Promise<number> {
  if (values.store === undefined || positionals.length !== 1)
    throw invalidCommand(
      "Name one stored conversation: history resume <id> --store <folder> --test '<file> > <title>'",
    )
  const code = await importCommand.run(positionals, values, terminal)
  const [file] = String(values.test).split(' > ')
  if (code === 0)
    terminal.write(`Go on from there with: npx vitest-cassette record --new ${file}\n`)
  return code
}
