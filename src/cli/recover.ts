import { rmSync } from 'node:fs'
import { layOutLine } from '../conversation/lay-out-line.ts'
import { countOf } from '../diff/count-of.ts'
import { widthOf, type Command } from './command.ts'
import { planRecovery, type Recovery } from './plan-recovery.ts'
import { openCassettes } from './source.ts'
import { writeTable, type Column } from './table.ts'

const COLUMNS: Column[] = [
  { title: '' },
  { title: '', align: 'right' },
  { title: '' },
  { title: '' },
]

/** Brings back answers whose cassette was not written. */
export const recover: Command = {
  name: 'recover',
  usage: '',
  summary: 'write the cassettes of recordings that were interrupted or failed, from what was kept',
  options: {
    yes: { type: 'boolean', short: 'y' },
    overwrite: { type: 'boolean' },
    dir: { type: 'string' },
    width: { type: 'string' },
  },
  explains: {
    yes: 'write without asking',
    overwrite: 'write also where the cassette was recorded later',
    dir: 'the folder of the cassettes (default: __recordings__)',
  },
  async run(_, values, terminal) {
    const store = openCassettes(values, terminal)
    const all = await planRecovery(store, terminal.cwd, values.overwrite === true)
    if (all.length === 0) {
      terminal.write('Nothing was left: every answer that was paid for is in its cassette.\n')
      return 0
    }
    const rows = all.map((recovery) => cellsOf(recovery, store.display(recovery.path)))
    const [, ...lines] = writeTable(COLUMNS, rows, widthOf(terminal, values))
    terminal.write(`${lines.join('\n')}\n`)
    const planned = all.filter(({ cassette }) => cassette)
    if (planned.length === 0) return 1
    const cassettes = countOf(planned.length, 'cassette')
    if (values.yes !== true && !(await terminal.confirm?.(`Write ${cassettes}?`))) {
      terminal.warn(
        terminal.confirm ? 'Nothing was written.' : 'Nothing was written. To write: --yes',
      )
      return 1
    }
    for (const { path, cassette, files } of planned) {
      await store.save(path, cassette!)
      for (const file of files) rmSync(file, { force: true })
    }
    terminal.write(
      `Wrote ${cassettes}. A recording that was interrupted may lack answers. To record what is missing:\n` +
        '  RECORD=new npx vitest run\n',
    )
    return planned.length === all.length ? 0 : 1
  },
}

function cellsOf({ answers, time, outlook }: Recovery, path: string): string[] {
  return [
    layOutLine(path),
    countOf(answers, 'answer'),
    layOutLine(time.replace(/T(\d\d:\d\d).*/, ' $1 UTC')),
    layOutLine(outlook),
  ]
}
