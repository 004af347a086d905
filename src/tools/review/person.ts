import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import type { Judge, GroupQuestion, Decision } from './judge-groups.ts'
import type { Group } from './groups.ts'
import { renderGroup } from './render-text.ts'
import type { Keys, Terminal } from '../terminal/command.ts'

const VERDICTS: Record<string, Decision> = {
  a: 'accept',
  r: 'reject',
  s: 'skip',
  e: 'each',
  q: 'quit',
  'ctrl-c': 'quit',
}

/** The number of changes and of rows that a group shows before the key `w`. */
const CHANGES = 5
const ROWS = 12

/**
 * A person at a terminal who judges groups with single keys.
 *
 * @param browse shows a cassette in a browser
 */
export function personAt(
  keys: Keys,
  terminal: Terminal,
  width: number,
  browse: (name: string) => Promise<void>,
): Judge {
  const { colors, page, write } = terminal

  async function showWhole(group: Group): Promise<void> {
    const names = group.cassettes.length
    const all = { width, colors, rows: Infinity, names, beside: true }
    const text = `${renderGroup(group, all)}\n`
    if (page) await keys.lend(() => page(text))
    else write(text)
  }

  return {
    async ask(question) {
      const { group, left } = question
      const isOne = group.cassettes.length === 1
      const shown = { ...group, changes: group.changes.slice(0, CHANGES) }
      const hidden = group.changes.length - shown.changes.length
      write(
        [
          '',
          colors.dim(`${countOf(left, 'group')} to judge`),
          renderGroup(shown, { width, colors, rows: ROWS, beside: true }),
          ...(hidden > 0 ? [colors.dim(`  … ${countOf(hidden, 'more change')} in them: w`)] : []),
          ...notesOf(question).map((note) => colors.yellow(note)),
          '',
        ].join('\n'),
      )
      for (;;) {
        write(`${legend(question, isOne)} > `)
        const key = await keys.next()
        const verdict = VERDICTS[key]
        if (verdict && !(verdict === 'each' && isOne)) {
          write(`${verdict}\n`)
          return verdict
        }
        write('\n')
        if (key === 'w') await showWhole(group)
        if (key === 'o') await browse(group.cassettes[0]!.name)
      }
    },
    warn: (text) => terminal.warn(colors.red(layOutLine(text))),
  }
}

function notesOf({ group: { cassettes }, others, isKept }: GroupQuestion): string[] {
  const isOne = cassettes.length === 1
  const kept = isOne
    ? 'It is kept outside git, since its test failed or was interrupted. Accepted, it becomes the cassette.'
    : 'They are kept outside git, since their tests failed or were interrupted. Accepted, they become the cassettes.'
  const which = isOne ? 'It has' : others === 1 ? 'One of them has' : `${others} of them have`
  return [
    ...(isKept ? [kept] : []),
    ...(others > 0
      ? [`${which} other changes as well: a rejected recording goes back with all its changes.`]
      : []),
  ]
}

function legend({ isKept }: GroupQuestion, isOne: boolean): string {
  const back = isKept ? 'reject' : "reject, back to git's"
  return [
    'a accept',
    `r ${back}`,
    's skip',
    'w show whole',
    'o open in the browser',
    ...(isOne ? [] : ['e each by itself']),
    'q quit',
  ].join(' · ')
}
