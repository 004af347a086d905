import { unmergedIn } from '../../real/git.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { quoteWord } from '../../text/command-line.ts'
import { CASSETTE_FOLDER, pathFrom } from '../../config/paths.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import {
  type CassetteComparison,
  type CassettePair,
  type CassetteState,
  compareCassettes,
} from '../compare/compare-cassettes.ts'
import { fetchCommand, Git } from '../programs/git.ts'
import { foldersOf, openFolders } from '../sources/cassette-folders.ts'
import { caution, type Terminal } from '../terminal/command.ts'
import { openPrices } from '../terminal/open-prices.ts'
import { invalidCommand, type OptionValues, textOptions } from '../terminal/options.ts'
import { type Base, commitOf, readStates, type States } from './git-states.ts'

/** The cassettes that differ from git, and those that cannot be read. */
export interface GitComparison {
  comparisons: CassetteComparison[]
  unread: Array<{ name: string; problem: string }>
  states: States
}

/**
 * Compares the cassettes of the working tree with a commit.
 *
 * @throws CassetteError `invalid-command` if a name matches nothing, `invalid-prices` for a wrong price table.
 */
export function compareWithGit(
  base: Base,
  names: readonly string[],
  values: OptionValues,
  terminal: Terminal,
): GitComparison {
  const prices = openPrices(values, terminal)
  const named = textOptions(values, 'dir')
  const dir = named.length > 0 ? named : CASSETTE_FOLDER
  // Git may know cassettes of folders that are gone.
  const folders = foldersOf(values, terminal)
  const stores = folders.map(({ store }) => store)
  const git = new Git(terminal.cwd, terminal.env)
  const states = readStates(git, base.ref, folders, dir, (items) =>
    terminal.progress.over(items, 'cassettes read'),
  )
  if (folders.length + states.folders.size === 0) {
    openFolders(values, terminal)
    caution(`There is no cassette in ${CASSETTE_FOLDER}, here or below.`, terminal)
  }
  refuseUnknown(names, states, stores, git)
  warnOfIgnored(stores, git, terminal)
  warnOfUnmerged(stores, git, terminal)
  const pairs = pairCassettes(states.before, states.after).filter(
    ({ name, was }) => isMeant(name, names) || (was !== undefined && isMeant(was, names)),
  )
  const unread = pairs.flatMap(({ name, before, after }) =>
    [after, before].flatMap((state, index) => {
      if (state?.problem === undefined) return []
      return [{ name, problem: `${index === 1 ? `in ${base.shown}: ` : ''}${state.problem}` }]
    }),
  )
  // A cassette that cannot be read now cannot be compared.
  const readable = pairs.filter(({ before, after }) => (after ?? before)!.problem === undefined)
  const comparisons = [...terminal.progress.over(readable, 'cassettes compared')]
    .map((pair) => compareCassettes(pair, prices))
    .filter(({ changes }) => changes.length > 0)
  return { comparisons, unread, states }
}

/** Names the cassettes that cannot be read, and says why. */
export function warnOfUnread({ unread }: Pick<GitComparison, 'unread'>, terminal: Terminal): void {
  for (const { name, problem } of unread)
    caution(`${layOutLine(name)} cannot be read: ${layOutLine(problem)}`, terminal)
}

/** Whether a cassette is among those that are named, by its path or a piece of it. */
export function isMeant(name: string, names: readonly string[]): boolean {
  return names.length === 0 || names.some((one) => name.includes(one))
}

/** The typed words as pieces of cassette names. A file that exists becomes its path from the working directory. */
export function namesOf(words: readonly string[], { cwd }: Terminal): string[] {
  return words.map((word) => {
    const path = resolve(cwd, word)
    return existsSync(path) ? pathFrom(cwd, path) : word
  })
}

/** Warns of cassette folders that git ignores, since git sees no change in them. */
function warnOfIgnored(stores: readonly CassetteStore[], git: Git, terminal: Terminal): void {
  for (const store of stores) {
    const [first] = store.list()
    if (first === undefined) continue
    if (git.try(['check-ignore', '--quiet', '--', store.display(first)]) !== undefined)
      caution(
        `git ignores ${layOutLine(store.display(''))}, so nothing in it is compared. Take it out of .gitignore, and commit your cassettes.`,
        terminal,
      )
  }
}

/** Warns of cassettes of an unsettled merge: one side is in the folder, and looks like any other cassette. */
function warnOfUnmerged(stores: readonly CassetteStore[], git: Git, terminal: Terminal): void {
  const unmerged = unmergedIn(git.cwd, terminal.env)
  if (unmerged.size === 0) return
  const all = stores.flatMap((store) => store.list().map((path) => store.display(path)))
  const { length } = all.filter((path) => unmerged.has(path))
  if (length > 0)
    caution(
      `${countOf(length, 'cassette')} of this merge ${length === 1 ? 'is' : 'are'} in conflict. To take one side whole: npx vitest-cassette resolve`,
      terminal,
    )
}

function refuseUnknown(
  names: readonly string[],
  { before, after }: States,
  stores: readonly CassetteStore[],
  git: Git,
): void {
  const isKnown = (one: string): boolean =>
    existsSync(resolve(git.cwd, one)) ||
    [...before.keys(), ...after.keys()].some((name) => isMeant(name, [one])) ||
    stores.some((store) => store.list().some((path) => isMeant(store.display(path), [one])))
  const unknown = names.find((one) => !isKnown(one))
  if (unknown === undefined) return
  if (commitOf(git, unknown) !== undefined)
    throw invalidCommand(
      `'${unknown}' is a commit of git, and no cassette. To see what differs from it:\n  npx vitest-cassette diff ${quoteWord(unknown)}`,
    )
  throw invalidCommand(
    `'${unknown}' is neither a commit of git nor a cassette. For a branch that is not here: ${fetchCommand(unknown)}`,
  )
}

/** Values by which a renamed cassette is recognized, the most certain first. */
const MARKS: ReadonlyArray<(cassette: Cassette) => string | undefined> = [
  ({ exchanges }) =>
    JSON.stringify(exchanges.map(({ prompt, response }) => [prompt, response.text])),
  ({ conversationId }) => conversationId,
  ({ exchanges: [first] }) => first?.prompt.hash,
]

/** Pairs the cassettes of two states by their names, and renamed ones by their content. */
export function pairCassettes(
  before: ReadonlyMap<string, CassetteState>,
  after: ReadonlyMap<string, CassetteState>,
): CassettePair[] {
  const gone = new Map([...before].filter(([name]) => !after.has(name)))
  const fresh = new Map([...after].filter(([name]) => !before.has(name)))
  const was = new Map<string, string>()
  for (const mark of MARKS)
    for (const [name, old] of onlyOnBoth(mark, gone, fresh)) {
      was.set(name, old)
      gone.delete(old)
      fresh.delete(name)
    }
  const pairs = [
    ...[...after].map(([name, state]): CassettePair => {
      const old = was.get(name)
      return { name, was: old, before: before.get(old ?? name), after: state }
    }),
    ...[...gone].map(([name, state]): CassettePair => ({ name, before: state })),
  ]
  return pairs.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The names of cassettes with the same mark, if no other cassette on either side has it. */
function onlyOnBoth(
  mark: (cassette: Cassette) => string | undefined,
  gone: ReadonlyMap<string, CassetteState>,
  fresh: ReadonlyMap<string, CassetteState>,
): Array<[name: string, was: string]> {
  const [old, current] = [gone, fresh].map((states) =>
    Map.groupBy(states.keys(), (name) => {
      const { cassette } = states.get(name)!
      return cassette && mark(cassette)
    }),
  ) as [Map<string | undefined, string[]>, Map<string | undefined, string[]>]
  return [...current].flatMap(([shared, names]): Array<[string, string]> => {
    const others = old.get(shared) ?? []
    const isSure = shared !== undefined && names.length === 1 && others.length === 1
    return isSure ? [[names[0]!, others[0]!]] : []
  })
}
