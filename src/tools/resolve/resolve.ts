import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeAtomically } from '../../cassette/write-file.ts'
import { isEdited } from '../../cassette/format.ts'
import { hasMarkers, parseCassette } from '../../cassette/parse.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { CassetteError } from '../../errors.ts'
import { unmergedIn } from '../../real/git.ts'
import { Git } from '../programs/git.ts'
import { DIR_OPTION, openFolders } from '../sources/cassette-folders.ts'
import { type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import { flag } from '../terminal/options.ts'

/** The number under which the index of git keeps a side of a conflict. */
const STAGES: Record<Side, string> = { ours: '2', theirs: '3' }

/** Ends a conflict of two recordings by taking one whole, since a mixture was never recorded. */
export const resolveCommand: Command = defineCommand({
  name: 'resolve',
  usage: '--ours | --theirs [name…]',
  summary: 'settle a merge conflict of cassettes: take one side whole',
  options: {
    ours: flag(
      'the recording of the branch that you are on (in a rebase: of the branch that you go onto)',
    ),
    theirs: flag('the recording of the branch that comes in (in a rebase: your own)'),
    ...DIR_OPTION,
  },
  async run(names, values, terminal) {
    const git = new Git(terminal.cwd, terminal.env)
    const unmerged = unmergedIn(git.cwd, terminal.env)
    const conflicts = openFolders(values, terminal)
      .flatMap(({ store }) => store.list().map((path) => store.display(path)))
      .filter((path) => names.length === 0 || names.some((name) => path.includes(name)))
      .flatMap((path) => readConflict(path, unmerged.has(path), git) ?? [])
    if (conflicts.length === 0) {
      terminal.write('No cassette is in conflict.\n')
      return 0
    }
    if (values.ours === values.theirs) return explainSides(conflicts, terminal)
    const side = values.ours ? 'ours' : 'theirs'
    let left = 0
    for (const conflict of conflicts) {
      const whole = conflict.sides[side]
      if (whole === undefined) left++
      else await writeResolved(conflict, whole, git)
      terminal.write(
        whole === undefined
          ? `${layOutLine(conflict.path)}: ${side} is not there whole. Record its test again: npx vitest-cassette record --changed\n`
          : `${layOutLine(conflict.path)}: ${side}\n`,
      )
    }
    return left === 0 ? 0 : 1
  },
})

/** A cassette of which two branches have recordings. */
interface Conflict {
  /** The path from the working directory. */
  path: string
  /** The text of each side as it was recorded; absent if it is not whole. */
  sides: Partial<Record<Side, string>>
  /** Whether the file is unmerged in the index of git. */
  isUnmerged: boolean
}

function readConflict(path: string, isUnmerged: boolean, git: Git): Conflict | undefined {
  const text = readFileSync(resolve(git.cwd, path), 'utf8')
  if (!isUnmerged && !hasMarkers(text)) return undefined
  const read = (side: Side): string =>
    isUnmerged ? (git.try(['show', `:${STAGES[side]}:./${path}`]) ?? '') : sideOf(text, side)
  const sides = (['ours', 'theirs'] as const).map((side) => [side, read(side)] as const)
  const whole = sides.filter(([, side]) => isWhole(side))
  return { path, sides: Object.fromEntries(whole), isUnmerged }
}

/** Whether a text is a cassette as it was recorded, and no mixture of two. */
function isWhole(text: string): boolean {
  try {
    return !isEdited(parseCassette(text), text)
  } catch (error) {
    if (CassetteError.isInstance(error)) return false
    throw error
  }
}

async function writeResolved(
  { path, isUnmerged }: Conflict,
  text: string,
  git: Git,
): Promise<void> {
  await writeAtomically(resolve(git.cwd, path), text)
  if (isUnmerged) git.try(['add', '--', path])
}

function explainSides(conflicts: readonly Conflict[], { warn, colors }: Terminal): 2 {
  const paths = conflicts.map(({ path }) => `  ${layOutLine(path)}`)
  warn(
    `${countOf(conflicts.length, 'cassette')} in conflict:\n${paths.join('\n')}\n` +
      'Take the recording of one branch, whole:\n' +
      `  ${colors.bold('npx vitest-cassette resolve --ours')}\n` +
      `  ${colors.bold('npx vitest-cassette resolve --theirs')}\n` +
      'Where the prompts of neither are those of the merged code, record them again after it:\n' +
      `  ${colors.bold('npx vitest-cassette record --changed')}`,
  )
  return 2
}

/** One of the two recordings of a test in a merge conflict, in git's words. */
type Side = 'ours' | 'theirs'

const OURS = /^<{7}(?: .*)?$/
const BASE = /^\|{7}(?: .*)?$/
const THEIRS = /^={7}$/
const END = /^>{7}(?: .*)?$/

/** One side of a text with markers. Lines outside of them can come from both sides: the caller has to check. */
function sideOf(text: string, side: Side): string {
  let part: Side | 'both' | 'base' = 'both'
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const bare = line.replace(/\r$/, '')
    if (part === 'both' && OURS.test(bare)) part = 'ours'
    else if (part === 'ours' && BASE.test(bare)) part = 'base'
    else if ((part === 'ours' || part === 'base') && THEIRS.test(bare)) part = 'theirs'
    else if (part === 'theirs' && END.test(bare)) part = 'both'
    else if (part === 'both' || part === side) lines.push(line)
  }
  return lines.join('\n')
}
