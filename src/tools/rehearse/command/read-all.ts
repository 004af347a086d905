import type { PriceTable } from '../../../conversation/cost.ts'
import { CassetteError } from '../../../errors.ts'
import { layOutLine, printable } from '../../../text/printable.ts'
import { readQuestions, type LeftOut, type Question } from '../question.ts'
import { openFolders } from '../../sources/cassette-folders.ts'
import type { ExitCode, Terminal } from '../../terminal/command.ts'
import { invalidCommand, type OptionValues } from '../../terminal/options.ts'

/** The recorded prompts that can be asked again, and those that cannot. */
export interface RecordedPrompts {
  questions: Question[]
  leftOut: LeftOut[]
  /** 1 where a cassette could not be read. */
  code: ExitCode
}

/**
 * Reads the cassettes whose path or test has one of the filters in it, or all.
 *
 * @throws CassetteError `invalid-command` where there is nothing to rehearse.
 */
export function readAll(
  filters: readonly string[],
  values: OptionValues,
  prices: PriceTable,
  terminal: Terminal,
): RecordedPrompts {
  const all: RecordedPrompts = { questions: [], leftOut: [], code: 0 }
  const isMeant = (text: string): boolean =>
    filters.length === 0 ||
    filters.some((filter) => text.toLowerCase().includes(filter.toLowerCase()))
  const places = openFolders(values, terminal).flatMap(({ store }) =>
    store.list().map((path) => ({ store, path, name: store.display(path) })),
  )
  for (const { store, path, name } of terminal.progress.over(places, 'cassettes read')) {
    try {
      const cassette = store.load(path)
      if (!cassette || !isMeant(`${name}\n${cassette.conversationId}`)) continue
      const { questions, leftOut } = readQuestions(name, cassette, prices)
      all.questions.push(...questions)
      all.leftOut.push(...leftOut)
    } catch (error) {
      if (!CassetteError.isInstance(error)) throw error
      terminal.warn(terminal.colors.yellow(printable(error.message)))
      all.code = 1
    }
  }
  if (all.questions.length + all.leftOut.length > 0 || all.code === 1) return all
  const which =
    filters.length > 0 ? ` with ${filters.map(layOutLine).join(' or ')} in its path or test` : ''
  throw invalidCommand(`There is no cassette${which}.\nList all with: vitest-cassette list`)
}
