import { join, resolve, sep } from 'node:path'
import { pathFrom } from '../../config/paths.ts'
import { firstPromptOf, isSameCassette, pairRenamed } from '../../cassette/orphans.ts'
import { isCassettePath } from '../../cassette/paths.ts'
import type { CassetteStore } from '../../cassette/store.ts'
import { countOf } from '../../text/count-of.ts'
import { ifReadable } from '../../cassette/reader.ts'
import { explainUnmoved, type Lone } from './explain-unmoved.ts'
import { layOutLine } from '../../text/printable.ts'
import { refuseSecrets } from '../../histories/refuse-secrets.ts'
import { sumUp } from '../../attempt/spending.ts'
import { type Command, defineCommand, type Terminal } from '../terminal/command.ts'
import { cassettesOfTests } from '../programs/run-folders.ts'
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

export const move: Command = defineCommand({
  name: 'move',
  usage: '<cassette> <cassette> | --detect [-- <filters and options of Vitest>]',
  summary: 'move the cassette of a renamed test; --detect finds all renamed tests',
  options: {
    detect: flag(
      'run the tests in replay, and move each cassette without a test to the one test without a cassette that asks its first prompt',
    ),
    config: CONFIG,
  },
  async run(words, values, terminal) {
    const isDetecting = values.detect
    if (!isDetecting && words.length !== 2)
      throw invalidCommand(
        'Name two paths, that of the cassette and where its test looks for it; or use --detect alone.',
      )
    const config = configWords(values)
    const args = isDetecting ? [...config, ...words] : config
    // A filter chooses the tests that run. Which cassettes have a test, all tests say.
    const folders = await openLiving(config, terminal)
    if (isDetecting) terminal.warn(terminal.colors.dim('Running the tests, in replay …'))
    const { moves, orphans, asking } = isDetecting
      ? await detect(args, folders, terminal)
      : { moves: [named(folders, words as [string, string], terminal)], orphans: [], asking: [] }
    for (const one of moves) await carryOut(one, terminal)
    if (moves.length > 0)
      terminal.write(`Moved ${countOf(moves.length, 'cassette')}; no request was sent.\n`)
    if (isDetecting && (moves.length === 0 || (orphans.length > 0 && asking.length > 0)))
      terminal.write(explainUnmoved(orphans, asking))
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
    const living = new Map([...roots].flatMap((root) => cassettesOfTests(root, tests)))
    return { path, store, living }
  })
}

async function detect(
  args: readonly string[],
  folders: readonly Folder[],
  terminal: Terminal,
): Promise<{ moves: Move[]; orphans: Lone[]; asking: Lone[] }> {
  const { lines } = await replayTests('record', args, terminal)
  const missing = sumUp(lines).cassettes.filter(({ isRecorded }) => !isRecorded)
  const moves: Move[] = []
  const lone: { orphans: Lone[]; asking: Lone[] } = { orphans: [], asking: [] }
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
    }
    const isLeft = (path: string): boolean =>
      moves.every((one) => one.folder !== folder || (one.from !== path && one.to !== path))
    const loneAt = (path: string, title: string, asks?: string): Lone[] =>
      isLeft(path) ? [{ path, shown: shown(folder, path, terminal), title, asks }] : []
    lone.orphans.push(
      ...orphans.flatMap(({ from, asks }) => {
        const title = ifReadable(() => folder.store.readStored(from)?.conversation_id)
        return loneAt(from, title ?? from, asks)
      }),
    )
    const tests = new Map(asking.map(({ to, asks }) => [to, asks]))
    lone.asking.push(
      ...[...tests].flatMap(([to, asks]) => loneAt(to, folder.living.get(to)!, asks)),
    )
  }
  return { moves, ...lone }
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
