import { rmSync } from 'node:fs'
import { whyUnwritten } from '../../cassette/store.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { DIR_OPTION, openFolders } from '../sources/cassette-folders.ts'
import { keepUnchanged } from '../../recording/keep-unchanged.ts'
import {
  type Command,
  defineCommand,
  isConfirmed,
  tableWidthOf,
  type Terminal,
  WIDTH_OPTION,
  YES_OPTION,
} from '../terminal/command.ts'
import { saveCassette } from '../sources/save-cassette.ts'
import { planRecovery, type Recovery } from '../sources/plan-recovery.ts'
import { tableOf, type ColumnOf } from '../terminal/table.ts'
import { flag, invalidCommand, type OptionValues } from '../terminal/options.ts'

const COLUMNS: Array<ColumnOf<Recovery>> = [
  { title: '', text: ({ shown }) => shown },
  { title: '', align: 'right', text: ({ answers }) => countOf(answers, 'answer') },
  { title: '', text: ({ time }) => time.replace(/T(\d\d:\d\d).*/, ' $1 UTC') },
  { title: '', text: ({ outlook }) => outlook },
]

export const recover: Command = defineCommand({
  name: 'recover',
  usage: '[path…]',
  summary:
    'write the cassettes of interrupted or failed recordings from the answers that were kept',
  options: {
    ...YES_OPTION,
    discard: flag('delete the answers that cannot be used'),
    overwrite: flag(
      'write also where the cassette was recorded later, and replace it by fewer answers',
    ),
    ...DIR_OPTION,
    ...WIDTH_OPTION,
  },
  async run(names, values, terminal) {
    const found: Recovery[] = []
    for (const folder of openFolders(values, terminal))
      found.push(...(await planRecovery(folder, terminal, values.overwrite ?? false)))
    const all = meant(found, names)
    if (all.length === 0) {
      terminal.write('Nothing was left: every answer that was paid for is in its cassette.\n')
      return 0
    }
    const [, ...lines] = tableOf(COLUMNS, all, tableWidthOf(terminal, values))
    terminal.write(`${lines.join('\n')}\n`)
    const planned = all.filter(({ cassette }) => cassette)
    const useless = all.filter(({ cassette }) => !cassette)
    if (values.discard) return discard(useless, values, terminal)
    if (planned.length < all.length)
      terminal.warn('To delete what was left: npx vitest-cassette recover --discard')
    if (planned.length === 0) return 1
    if (!(await isConfirmed('Write', countOf(planned.length, 'cassette'), values, terminal)))
      return 1
    const unwritten = await writeAll(planned, terminal)
    const written = planned.length - unwritten
    if (written > 0)
      terminal.write(
        `Wrote ${countOf(written, 'cassette')}. An interrupted recording may lack answers. To record the missing ones:\n` +
          commandsFor(planned),
      )
    return written === all.length ? 0 : 1
  },
})

/**
 * The answers of the cassettes that are named, by a path or a piece of one; all where none is.
 *
 * @throws CassetteError `invalid-command` for a name of none.
 */
function meant(all: readonly Recovery[], names: readonly string[]): readonly Recovery[] {
  if (names.length === 0) return all
  const pieces = names.map((name) => name.replace(/^\.\//, ''))
  const unknown = pieces.find((piece) => !all.some(({ shown }) => shown.includes(piece)))
  if (unknown !== undefined) throw invalidCommand(`Nothing was left for a cassette '${unknown}'.`)
  return all.filter(({ shown }) => pieces.some((piece) => shown.includes(piece)))
}

/** Deletes the answers that cannot be used, so that nothing asks for them any more. */
async function discard(
  useless: readonly Recovery[],
  values: OptionValues,
  terminal: Terminal,
): Promise<number> {
  const files = useless.flatMap((one) => one.files)
  if (files.length === 0) return 0
  if (!(await isConfirmed('Delete', countOf(files.length, 'file'), values, terminal))) return 1
  for (const file of files) rmSync(file, { force: true })
  terminal.write(`Deleted ${countOf(files.length, 'file')} of answers.\n`)
  return 0
}

/** The commands that record what is missing. A cassette of a program is named after its file. */
function commandsFor(planned: readonly Recovery[]): string {
  const programs = planned.filter(({ cassette }) => cassette!.conversationId.endsWith('.json'))
  const names = programs.map(({ shown }) => layOutLine(shown)).join(', ')
  return [
    ...(programs.length < planned.length ? ['  npx vitest-cassette record --new\n'] : []),
    ...(programs.length > 0 ? [`  RECORD=new, before the command that recorded ${names}\n`] : []),
  ].join('')
}

/** Writes each cassette on its own. Resolves to the number that could not be written. */
async function writeAll(planned: readonly Recovery[], terminal: Terminal): Promise<number> {
  const { warn, progress } = terminal
  let unwritten = 0
  for (const { shown, path, store, cassette, files } of progress.over(
    planned,
    'cassettes written',
  )) {
    try {
      await saveCassette({ store, path }, cassette!, terminal, keepUnchanged())
    } catch (error) {
      unwritten++
      const [what, wayOut] = whyUnwritten(error as Error)
      warn(
        `${layOutLine(shown)} could not be written: ${layOutLine(what)}. Its answers stay where they are. ` +
          `${wayOut}, and recover again.`,
      )
      continue
    }
    try {
      for (const file of files) rmSync(file, { force: true })
    } catch (error) {
      const [what] = whyUnwritten(error as Error)
      warn(
        `${layOutLine(shown)} is written, but its source could not be deleted: ${layOutLine(what)}.`,
      )
    }
  }
  return unwritten
}
