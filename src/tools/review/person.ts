import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import type { Judge, GroupQuestion, Decision } from './judge-groups.ts'
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

/** A person at a terminal who judges groups with single keys. */
export class Person implements Judge {
  readonly #keys: Keys
  readonly #terminal: Terminal
  readonly #width: number
  readonly #browse: (name: string) => Promise<void>

  /** @param browse shows a cassette in a browser */
  constructor(
    keys: Keys,
    terminal: Terminal,
    width: number,
    browse: (name: string) => Promise<void>,
  ) {
    this.#keys = keys
    this.#terminal = terminal
    this.#width = width
    this.#browse = browse
  }

  async ask(question: GroupQuestion): Promise<Decision> {
    const { group, left } = question
    const { colors } = this.#terminal
    const isOne = group.cassettes.length === 1
    const shown = { ...group, changes: group.changes.slice(0, CHANGES) }
    const hidden = group.changes.length - shown.changes.length
    this.#write(
      [
        '',
        colors.dim(`${countOf(left, 'group')} to judge`),
        renderGroup(shown, { width: this.#width, colors, rows: ROWS, beside: true }),
        ...(hidden > 0 ? [colors.dim(`  … ${countOf(hidden, 'more change')} in them: w`)] : []),
        ...notesOf(question).map((note) => colors.yellow(note)),
        '',
      ].join('\n'),
    )
    for (;;) {
      this.#write(`${legend(question, isOne)} > `)
      const key = await this.#keys.next()
      const verdict = VERDICTS[key]
      if (verdict && !(verdict === 'each' && isOne)) {
        this.#write(`${verdict}\n`)
        return verdict
      }
      this.#write('\n')
      if (key === 'w') await this.#showWhole(question)
      if (key === 'o') await this.#browse(group.cassettes[0]!.name)
    }
  }

  warn(text: string): void {
    this.#terminal.warn(this.#terminal.colors.red(layOutLine(text)))
  }

  async #showWhole({ group }: GroupQuestion): Promise<void> {
    const { colors, page } = this.#terminal
    const names = group.cassettes.length
    const text = `${renderGroup(group, { width: this.#width, colors, rows: Infinity, names, beside: true })}\n`
    if (page) await this.#keys.lend(() => page(text))
    else this.#write(text)
  }

  #write(text: string): void {
    this.#terminal.write(text)
  }
}

/** The warnings shown with a group. */
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
