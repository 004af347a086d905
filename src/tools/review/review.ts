import { encodeCassette } from '../../cassette/encode.ts'
import { printSealed } from '../../cassette/format.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { compareCassettes } from '../compare/compare-cassettes.ts'
import { folderWithWay, headBase, stateIn } from './git-states.ts'
import { Git } from '../programs/git.ts'
import {
  copiesOfReview,
  type KeepCopy,
  keptRecording,
  moveLeftPictures,
  type PendingRecording,
  treeRecording,
} from './recordings.ts'
import { jsonOfGroup, type Group } from './groups.ts'
import {
  type Judge,
  Review,
  type ReviewResult,
  type GroupQuestion,
  type Decision,
} from './judge-groups.ts'
import { type CassetteFolder, DIR_OPTION, foldersOf } from '../sources/cassette-folders.ts'
import { browseCassette } from '../page/browser.ts'
import {
  compareWithGit,
  type GitComparison,
  isMeant,
  namesOf,
  warnOfUnread,
} from './compare-with-git.ts'
import { planRecovery } from '../sources/plan-recovery.ts'
import {
  type Command,
  defineCommand,
  type Keys,
  type Terminal,
  WIDTH_OPTION,
  widthOf,
} from '../terminal/command.ts'
import { flag } from '../terminal/options.ts'
import { printJson } from '../terminal/write-json.ts'
import { renderGroup } from './render-text.ts'

/** Lets the user judge the recordings that differ from git. */
export const review: Command = defineCommand({
  name: 'review',
  usage: '[path…]',
  summary: 'accept or reject changes of recordings, one group of equal changes at a time',
  options: {
    ...WIDTH_OPTION,
    json: flag('write as JSON what waits, and judge nothing'),
    ...DIR_OPTION,
  },
  async run(words, values, terminal) {
    const names = namesOf(words, terminal)
    if (!terminal.openKeys && !values.json) {
      terminal.warn(
        'review waits for keystrokes, and this is no terminal. To see what changed:\n  npx vitest-cassette diff\nTo see what waits for a person: npx vitest-cassette review --json',
      )
      return 2
    }
    const git = new Git(terminal.cwd, terminal.env)
    const keepCopy = copiesOfReview(terminal.cwd)
    const folders = foldersOf(values, terminal)
    const found = compareWithGit(headBase(git), names, values, terminal)
    const recordings = [
      ...changedRecordings(found, git, keepCopy),
      ...(await keptRecordings(folders, names, keepCopy, terminal)),
    ]
    warnOfUnread(found, terminal)
    const unread = found.unread.length
    if (values.json) {
      const { waiting } = new Review(recordings, NOBODY)
      const groups = waiting.map(jsonOfGroup)
      printJson({ groups, unread: found.unread }, terminal)
      return groups.length + unread > 0 ? 1 : 0
    }
    const keys = terminal.openKeys!()
    try {
      const browse = (name: string): Promise<void> => browseCassette(name, folders, terminal)
      const person = personAt(keys, terminal, widthOf(terminal, values), browse)
      const waiting = new Review(recordings, person)
      if (waiting.size === 0) {
        terminal.write(describeNothing(recordings.length))
        return unread > 0 ? 1 : 0
      }
      const outcome = await waiting.run()
      await moveLeftPictures(outcome.rejected, git, keepCopy)
      terminal.write(conclude(outcome))
      return outcome.left + unread > 0 ? 1 : 0
    } finally {
      keys.close()
    }
  },
})

/** Nobody is asked where only what waits is listed. */
const NOBODY: Judge = { ask: () => Promise.resolve('quit'), warn: () => {} }

function changedRecordings(
  { comparisons, states }: GitComparison,
  git: Git,
  keepCopy: KeepCopy,
): PendingRecording[] {
  return comparisons.map((comparison) => {
    const { name, was } = comparison
    const folder = states.folders.get(name) ?? states.folders.get(was!)!
    const text = states.after.get(name)?.text ?? ''
    return treeRecording({ comparison, text, folder }, git, keepCopy)
  })
}

/** The recordings that failed tests have left. */
async function keptRecordings(
  folders: readonly CassetteFolder[],
  names: readonly string[],
  keepCopy: KeepCopy,
  terminal: Terminal,
): Promise<PendingRecording[]> {
  const recordings: PendingRecording[] = []
  for (const folder of folders) {
    for (const kept of await planRecovery(folder, terminal, false)) {
      const { cassette, path, shown, outlook } = kept
      if (!isMeant(shown, names)) continue
      if (!cassette) {
        // There is no cassette to accept or reject.
        terminal.warn(terminal.colors.dim(`Kept of ${layOutLine(shown)}, ${layOutLine(outlook)}`))
        continue
      }
      const text = printSealed(encodeCassette(cassette).stored)
      const before = stateIn(folder.store, path)
      const comparison = compareCassettes({
        name: shown,
        before: before.cassette && before,
        after: { text, cassette },
      })
      const place = { comparison, text, folder: folderWithWay(folder) }
      recordings.push(keptRecording(place, kept, cassette, keepCopy, terminal))
    }
  }
  return recordings
}

function describeNothing(accepted: number): string {
  if (accepted === 0) return 'Nothing to review: every recording is as git has it.\n'
  return `Nothing to review: ${countOf(accepted, 'recording differs', 'recordings differ')} from git, and you have accepted all. To see what changed:\n  npx vitest-cassette diff\n`
}

function conclude({ accepted, rejected, left, copies }: ReviewResult): string {
  const counts = {
    accepted: accepted.length,
    rejected: rejected.length,
    'left for the next review': left,
  }
  const parts = Object.entries(counts).flatMap(([what, count]) =>
    count > 0 ? `${countOf(count, 'cassette')} ${what}` : [],
  )
  const [first, ...others] = copies
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const kept =
    first === undefined ? '' : `Copies of the rejected changes:\n  ${layOutLine(first)}${more}\n`
  return `${parts.join(', ')}.\n${kept}`
}
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
function personAt(
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
