import { encodeCassette } from '../../cassette/encode.ts'
import { printCassette } from '../../cassette/format.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { compareCassettes } from '../compare/compare-cassettes.ts'
import { headBase, stateIn, wayTo } from './git-states.ts'
import { Git } from '../programs/git.ts'
import {
  copiesOfReview,
  type KeepCopy,
  type Folder,
  keptRecording,
  moveLeftPictures,
  type PendingRecording,
  treeRecording,
} from './recordings.ts'
import { Marks, Review, type ReviewResult } from './judge-groups.ts'
import { DIR_OPTION, openFolders, type CassetteFolder } from '../sources/cassette-folders.ts'
import { browseCassette } from '../page/browser.ts'
import { compareWithGit, isMeant, namesOf, warnOfUnread } from './compare-with-git.ts'
import { planRecovery } from '../sources/plan-recovery.ts'
import { Person } from './person.ts'
import { widthOf, type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import { takesText, type OptionValues } from '../terminal/options.ts'

/** Lets the user judge the recordings that differ from git. */
export const review: Command = defineCommand({
  name: 'review',
  usage: '[path…]',
  summary: 'accept or reject changes of recordings, one group of equal changes at a time',
  options: {
    width: takesText('the width in columns (default: that of the terminal)'),
    ...DIR_OPTION,
  },
  async run(words, values, terminal) {
    const names = namesOf(words, terminal)
    if (!terminal.openKeys) {
      terminal.warn(
        'review asks for keys, and this is no terminal. To see what changed:\n  npx vitest-cassette diff',
      )
      return 2
    }
    const git = new Git(terminal.cwd, terminal.env)
    const keepCopy = copiesOfReview(terminal.cwd)
    const { recordings, unread } = await findRecordings(names, values, terminal, git, keepCopy)
    warnOfUnread({ unread }, terminal)
    const keys = terminal.openKeys()
    try {
      const folders = openFolders(values, terminal)
      const browse = (name: string): Promise<void> => browseCassette(name, folders, terminal)
      const person = new Person(keys, terminal, widthOf(terminal, values), browse)
      const marks = new Marks(foldersOf(recordings))
      const waiting = new Review(recordings, marks, person)
      if (waiting.size === 0) {
        terminal.write(describeNothing(recordings.length))
        return unread.length > 0 ? 1 : 0
      }
      const outcome = await waiting.run()
      await moveLeftPictures(outcome.rejected, git, keepCopy)
      terminal.write(conclude(outcome))
      return outcome.left + unread.length > 0 ? 1 : 0
    } finally {
      keys.close()
    }
  },
})

/** The recordings that differ from git, and those that failed tests have left. */
async function findRecordings(
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
  git: Git,
  keepCopy: KeepCopy,
): Promise<{ recordings: PendingRecording[]; unread: Array<{ name: string; problem: string }> }> {
  const folders = openFolders(values, terminal)
  const { comparisons, unread, states } = compareWithGit(headBase(git), names, values, terminal)
  const recordings: PendingRecording[] = comparisons.map((comparison) => {
    const { name, was } = comparison
    const dir = states.dirs.get(name) ?? states.dirs.get(was!)!
    const text = states.after.get(name)?.text ?? ''
    const place = { comparison, text, folder: folderNamed(dir, folders, terminal) }
    return treeRecording(place, dir, git, keepCopy)
  })
  for (const folder of folders) {
    const { store } = folder
    for (const kept of await planRecovery(folder, terminal, false)) {
      const { cassette, path, shown, outlook } = kept
      if (!isMeant(shown, names)) continue
      if (!cassette) {
        // There is no cassette to accept or reject.
        terminal.warn(terminal.colors.dim(`Kept of ${layOutLine(shown)}, ${layOutLine(outlook)}`))
        continue
      }
      const text = printCassette(encodeCassette(cassette, '').stored)
      const before = stateIn(store, path)
      const comparison = compareCassettes({
        name: shown,
        before: before.cassette && before,
        after: { text, cassette },
      })
      const place = { comparison, text, folder: folderOf(folder) }
      recordings.push(keptRecording(place, { ...kept, cassette }, keepCopy))
    }
  }
  return { recordings, unread }
}

function folderOf({ root, store }: CassetteFolder): Folder {
  return { root, dir: store.pathFrom(root, '') }
}

/** The cassette folder of a project; if it is gone, `dir` below the working directory. */
function folderNamed(dir: string, folders: readonly CassetteFolder[], { cwd }: Terminal): Folder {
  const found = folders.find(({ store }) => wayTo(store.display('')) === dir)
  return found ? folderOf(found) : { root: cwd, dir }
}

function foldersOf(recordings: readonly PendingRecording[]): Folder[] {
  const folders = recordings.map(({ folder }) => [`${folder.root}\n${folder.dir}`, folder] as const)
  return [...new Map(folders).values()]
}

function describeNothing(accepted: number): string {
  if (accepted === 0) return 'Nothing to review: every recording is as git has it.\n'
  return `Nothing to review: ${countOf(accepted, 'recording')} ${accepted === 1 ? 'differs' : 'differ'} from git, and you have accepted all. To see what changed:\n  npx vitest-cassette diff\n`
}

function conclude({ accepted, rejected, left, copies }: ReviewResult): string {
  const parts = [
    accepted.length > 0 ? `${countOf(accepted.length, 'cassette')} accepted` : '',
    rejected.length > 0 ? `${countOf(rejected.length, 'cassette')} rejected` : '',
    left > 0 ? `${countOf(left, 'cassette')} left for the next review` : '',
  ].filter(Boolean)
  const [first, ...others] = copies
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const kept =
    first === undefined ? '' : `Copies of the rejected changes:\n  ${layOutLine(first)}${more}\n`
  return `${parts.join(', ')}.\n${kept}`
}
