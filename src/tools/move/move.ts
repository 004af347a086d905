import { join, resolve, sep } from 'node:path'
import { pathFrom } from '../../config/paths.ts'
import { firstPromptOf, isSameCassette, pairRenamed } from '../../cassette/orphans.ts'
import { cassettePaths, conversationId, isCassettePath } from '../../cassette/paths.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { withOrdinals } from '../../cassette/test-place.ts'
import { countOf } from '../../text/count-of.ts'
import { layOutLine } from '../../text/printable.ts'
import { refuseSecrets } from '../../histories/refuse-secrets.ts'
import { sumUp } from '../../attempt/spending.ts'
import { testPlacesOf } from '../sources/test-places.ts'
import { type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import type { ListedTest } from '../programs/run-folders.ts'
import { CONFIG, configWords, listCommand, listTests, replayTests } from '../programs/run-vitest.ts'
import { flag, invalidCommand } from '../terminal/options.ts'

/** A cassette folder, and the ids of its tests by the paths of their cassettes. */
interface Folder {
  store: CassetteStore
  /** Absolute. */
  path: string
  living: ReadonlyMap<string, string>
}

/** A cassette that goes to another test. */
interface Move {
  folder: Folder
  from: string
  to: string
}

/** Gives the cassettes of renamed tests back to them. */
export const move: Command = defineCommand({
  name: 'move',
  usage: '<cassette> <cassette> | --detect',
  summary: 'move the cassette of a renamed test; --detect finds all renamed tests',
  options: {
    detect: flag(
      'run the tests in replay, and move each cassette without a test to the one test without a cassette that asks its first prompt',
    ),
    config: CONFIG,
  },
  async run(words, values, terminal) {
    const isDetecting = values.detect
    if (words.length !== (isDetecting ? 0 : 2))
      throw invalidCommand(
        'Name two paths, that of the cassette and where its test looks for it; or use --detect alone.',
      )
    const args = configWords(values)
    const folders = await openLiving(args, terminal)
    const { moves, left } = isDetecting
      ? await detect(args, folders, terminal)
      : { moves: [named(folders, words as [string, string], terminal)], left: [] }
    for (const one of moves) await carryOut(one, terminal)
    if (left.length > 0)
      terminal.warn(
        `Not moved, since several begin with the same prompt:\n${left.map((path) => `  ${layOutLine(path)}\n`).join('')}` +
          'To move one: npx vitest-cassette move <cassette> <where its test looks>\n',
      )
    if (moves.length === 0)
      terminal.write(
        'No cassette without a test begins as a test without a cassette does, and as no other does.\n' +
          'Where several begin alike, name two: npx vitest-cassette move <cassette> <where its test looks>\n',
      )
    else terminal.write(`Moved ${countOf(moves.length, 'cassette')}; no request was sent.\n`)
    return 0
  },
})

/** The cassette folders of the projects, with all their tests. */
async function openLiving(args: readonly string[], terminal: Terminal): Promise<Folder[]> {
  const listed = await listTests(args, terminal)
  if (!listed)
    throw invalidCommand(
      `The tests could not be listed, so nothing was moved. To see why: npx ${listCommand(terminal.cwd)}`,
    )
  const { tests, folders } = listed
  return folders.all.map(({ path, store, roots }) => {
    const living = new Map([...roots].flatMap((root) => placesIn(root, tests)))
    return { path, store, living }
  })
}

/** The paths of the cassettes of all tests below a root, and the names of the tests. */
function placesIn(root: string, tests: readonly ListedTest[]): Array<[string, string]> {
  const places = tests.map(({ name, file }) => ({ file: pathFrom(root, file), titles: [name] }))
  const names = withOrdinals(places).flatMap((place) => [place.file, conversationId(place)])
  return [...new Set(names)].flatMap((id) =>
    testPlacesOf(id).flatMap((place) =>
      cassettePaths(place).map((path): [string, string] => [path, id]),
    ),
  )
}

async function detect(
  args: readonly string[],
  folders: readonly Folder[],
  terminal: Terminal,
): Promise<{ moves: Move[]; left: string[] }> {
  const { lines } = await replayTests('record', args, terminal)
  const missing = sumUp(lines).cassettes.filter(({ isRecorded }) => !isRecorded)
  const moves: Move[] = []
  const left: string[] = []
  for (const folder of folders) {
    const asking = missing.flatMap(({ path, asks }) => {
      const to = folder.store.pathTo(resolve(terminal.cwd, path))
      return asks !== undefined && folder.living.has(to) ? [{ to, asks }] : []
    })
    const orphans = folder.store
      .list()
      .filter((path) => isCassettePath(path) && !folder.living.has(path))
      .map((from) => ({ from, asks: firstPromptOf(folder.store, from) }))
    const byPrompt = Map.groupBy(
      new Map(asking.map((one) => [one.to, one])).values(),
      (one) => one.asks,
    )
    for (const [asks, tests] of byPrompt) {
      const alike = orphans.filter((orphan) => orphan.asks === asks).map(({ from }) => from)
      const pairs = pairRenamed(
        tests.map(({ to }) => to),
        alike,
      )
      moves.push(...pairs.map((pair) => ({ folder, ...pair })))
      const unpaired = alike.filter((path) => pairs.every(({ from }) => from !== path))
      if (pairs.length < tests.length)
        left.push(...unpaired.map((path) => shown(folder, path, terminal)))
    }
  }
  return { moves, left }
}

function named(
  folders: readonly Folder[],
  [old, fresh]: [string, string],
  { cwd }: Terminal,
): Move {
  const [from, to] = [resolve(cwd, old), resolve(cwd, fresh)]
  const folder = folders.find(({ path }) => to.startsWith(path + sep))
  const path = folder?.store.pathTo(to)
  if (!folder || path === undefined || !folder.living.has(path))
    throw invalidCommand(
      `No test looks for its cassette at ${layOutLine(fresh)}.\nWhere a test looks says its failure; --detect finds it by itself.`,
    )
  return { folder, from: folder.store.pathTo(from), to: path }
}

/** The path of a cassette from where the command runs, which can be above its package. */
function shown({ path: folder }: Folder, path: string, { cwd }: Terminal): string {
  return pathFrom(cwd, join(folder, path))
}

async function carryOut({ folder, from, to }: Move, terminal: Terminal): Promise<void> {
  const { store, living } = folder
  const [old, fresh] = [from, to].map((path) => shown(folder, path, terminal)) as [string, string]
  const cassette = store.load(from)
  if (cassette) await refuseSecrets(cassette, old, terminal.env, 'moved')
  if (from !== to && isSameCassette(store, from, to))
    throw invalidCommand(explainOneFile(old, fresh))
  await store.move(from, to, living.get(to)!)
  terminal.write(`${layOutLine(old)}\n  is now ${layOutLine(fresh)}\n`)
}

/** Why a cassette cannot be moved to another spelling of its path, and how git moves it: its folder in two steps. */
export function explainOneFile(path: string, to: string): string {
  const [from, wanted] = [path, to].map((one) => one.split('/'))
  const at = wanted!.findIndex((name, index) => name !== from![index])
  const [old, fresh] = [from, wanted].map((names) => names!.slice(0, at + 1).join('/'))
  return (
    `${path} and ${to} are one file, as this file system takes both names for one.\n` +
    `Let git spell it anew: git mv "${old}" "${old}.tmp" && git mv "${old}.tmp" "${fresh}"`
  )
}
