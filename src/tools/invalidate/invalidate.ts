import type { Invalidation } from '../../config/option-values.ts'
import { layOutLine } from '../../text/printable.ts'
import type { CassetteError } from '../../errors.ts'
import { countOf } from '../../text/count-of.ts'
import { type Command, defineCommand } from '../terminal/command.ts'
import { placeOf, Sources } from '../sources/source.ts'
import { flag, invalidCommand, takesText, type ValuesOf } from '../terminal/options.ts'
import { DIR_OPTION } from '../sources/cassette-folders.ts'

const OPTIONS = {
  reason: takesText('why; runs and reviewers see it'),
  undo: flag('take the mark back'),
  ...DIR_OPTION,
}

/** Marks recordings as no longer valid, for the whole team: the mark is committed with the cassette. */
export const invalidate: Command = defineCommand({
  name: 'invalidate',
  usage: '<name…> --reason <text>',
  summary: 'mark cassettes as no longer valid, or take the mark back',
  options: OPTIONS,
  async run(positionals, values, terminal) {
    const invalid = readMark(positionals, values)
    const sources = new Sources(values, terminal)
    let changed = 0
    for (const source of sources.open(positionals)) {
      const { store, path } = placeOf(source, terminal)
      // A cassette whose reason stays the same keeps the date of its mark.
      if (source.cassette!.invalid?.reason === invalid?.reason) continue
      await store.mark(path, invalid)
      changed++
      terminal.write(`${layOutLine(store.display(path))}\n`)
    }
    const what = invalid ? 'marked as invalid' : 'valid again'
    terminal.write(`${countOf(changed, 'cassette')} ${what}.\n`)
    if (invalid && changed > 0)
      terminal.write('To record invalid cassettes again: npx vitest-cassette record --new\n')
    return sources.code
  },
})

/** The mark that the options describe; `undefined` removes it. */
function readMark(
  positionals: readonly string[],
  { undo, ...values }: ValuesOf<typeof OPTIONS>,
): Invalidation | undefined {
  const reason = values.reason?.trim()
  if (positionals.length === 0)
    throw wrong('Say which cassettes: a path, or a piece of the path or of the title of the test.')
  if (undo && reason !== undefined) throw wrong('--reason and --undo contradict each other.')
  if (undo) return undefined
  if (!reason) throw wrong('Say why, with --reason "…": runs and reviewers see it.')
  return { reason, since: new Date().toISOString() }
}

function wrong(problem: string): CassetteError {
  return invalidCommand(
    `${problem}\n  npx vitest-cassette invalidate refunds --reason "the tool has another name now"`,
  )
}
