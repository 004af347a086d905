import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { cassettePathIn, conversationId } from '../../cassette/paths.ts'
import { withOrdinals } from '../../cassette/test-place.ts'
import { CassetteStore } from '../../cassette/store.ts'
import { isWithin, pathFrom } from '../../config/paths.ts'
import { MAX_BYTES } from '../sources/cassette-folders.ts'
import type { ListedTest, RunFolders } from '../programs/run-folders.ts'
import type { Terminal } from '../terminal/command.ts'
import { invalidCommand } from '../terminal/options.ts'
import type { ForeignRecording } from './foreign.ts'
import type { TestName } from './match-tests.ts'

/** Where a cassette is written. */
export interface Target {
  store: CassetteStore
  /** Below the folder of the store. */
  path: string
  /** As a person would type it. */
  shown: string
  /** `<test file> > <suite> > <test>`, or the path of a cassette that a program opens. */
  title: string
}

/** A test, and where it looks for its cassette. */
export interface KnownTest extends TestName, Target {
  absolute: string
}

/** The tests of a project that has the plugin. */
export function knownTests(
  tests: readonly ListedTest[],
  folders: RunFolders,
  { cwd }: Terminal,
): KnownTest[] {
  return folders.all.flatMap(({ path: folder, roots, store }) =>
    [...roots].flatMap((root) => {
      const own = tests.filter(({ file }) => rootOf(file, folders.roots) === root)
      const places = own.map(({ name, file }) => ({
        file: pathFrom(root, file),
        titles: name.split(' > '),
        absolute: file,
      }))
      return withOrdinals(places).map(({ absolute, ...place }): KnownTest => {
        const path = cassettePathIn(folder, place)
        return {
          file: pathFrom(cwd, absolute),
          titles: place.titles,
          absolute,
          store,
          path,
          shown: pathFrom(cwd, join(folder, path)),
          title: conversationId(place),
        }
      })
    }),
  )
}

/** The nearest root above a file. */
function rootOf(file: string, roots: readonly string[]): string | undefined {
  return roots
    .filter((root) => isWithin(root, file))
    .toSorted((one, other) => other.length - one.length)[0]
}

/** What the name of a cassette is made of. */
type NamedRecording = Pick<ForeignRecording, 'name' | 'file'>

/**
 * The place for recordings that are those of no test: a file, which takes one, or a folder.
 *
 * @throws CassetteError `invalid-command` for a place outside of the working directory, and for a file for several
 */
export function targetsIn<Recording extends NamedRecording>(
  to: string,
  recordings: readonly Recording[],
  { cwd }: Terminal,
): Map<Recording, Target> {
  const place = resolve(cwd, to)
  if (!isWithin(cwd, place))
    throw invalidCommand(`--to ${to} leads out of ${cwd}. Run this where the cassettes shall be.`)
  const isFile = place.endsWith('.json') && !(existsSync(place) && statSync(place).isDirectory())
  if (isFile && recordings.length > 1)
    throw invalidCommand(
      `--to ${to} is one file, and ${recordings.length} recordings would go there. Name one recording, or a folder.`,
    )
  const folder = isFile ? dirname(place) : place
  const names = isFile ? undefined : namesFor(recordings)
  const store = new CassetteStore(cwd, relative(cwd, folder) || '.', MAX_BYTES)
  return new Map(
    recordings.map((recording) => {
      const path = names?.get(recording) ?? basename(place)
      const shown = pathFrom(cwd, join(folder, path))
      return [recording, { store, path, shown, title: shown }]
    }),
  )
}

/** How names of files end, with what a tool writes into those of all of its files. */
const ENDING = /(?:\.cassette)?\.\w+$/

/**
 * The names of their cassettes in one folder, of which no two are equal, whatever their case. Where recordings have the
 * same name, the folders tell them apart.
 */
function namesFor(recordings: readonly NamedRecording[]): Map<NamedRecording, string> {
  const told = new Map<NamedRecording, string>()
  for (const alike of Map.groupBy(recordings, (one) => fileNameOf(saidBy(one))).values()) {
    const folders = ownFolders(alike.map(({ file }) => file))
    for (const [index, recording] of alike.entries())
      told.set(recording, fileNameOf([...folders[index]!, saidBy(recording)].join(' ')))
  }
  const names = new Set<string>()
  return new Map(
    recordings.map((recording) => {
      const slug = told.get(recording) || 'recording'
      let own = `${slug}.json`
      for (let count = 2; names.has(own); count++) own = `${slug}-${count}.json`
      names.add(own)
      return [recording, own]
    }),
  )
}

function saidBy({ name, file }: NamedRecording): string {
  return name === undefined ? basename(file).replace(ENDING, '') : [name].flat().join(' ')
}

/** The folders of each path, without those that all have at their beginning or their end. */
function ownFolders(paths: readonly string[]): string[][] {
  const all = paths.map((path) => path.split('/').slice(0, -1))
  const [first] = all as [string[]]
  const least = Math.min(...all.map(({ length }) => length))
  const isShared = (at: number): boolean => all.every((one) => one.at(at) === first.at(at))
  let start = 0
  while (start < least && isShared(start)) start++
  let end = 0
  while (start + end < least && isShared(-1 - end)) end++
  return all.map((one) => one.slice(start, one.length - end))
}

/** Most file systems allow 255 bytes; some are put beside it while it is written. */
const MAX_NAME_BYTES = 180

/** Titles as the recipe in `docs/programs.md` makes a file name of them, which is to find the cassette. */
function fileNameOf(titles: string): string {
  const words = titles.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const characters = [...words.trim().replaceAll(' ', '-')]
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES) characters.pop()
  return characters.join('')
}

/**
 * Reads lines like `recordings/a.har=suite > title`. Both sides may be a piece of a name, if no other name has it.
 *
 * @throws CassetteError `invalid-command` for a line that names no recording or test, or several
 */
export function readMappings<Recording extends NamedRecording>(
  lines: readonly string[],
  recordings: readonly Recording[],
  tests: readonly KnownTest[],
): Array<{ recording: Recording; test: KnownTest }> {
  return lines.map((line) => {
    const splits = Array.from(line.matchAll(/=/g), ({ index }) => [
      line.slice(0, index).trim(),
      line.slice(index + 1).trim(),
    ])
    if (splits.length === 0) throw invalidCommand(`--map takes recording=test, not "${line}".`)
    // Names of files can hold the sign too.
    for (const [left, right] of splits as Array<[string, string]>) {
      const found = only(recordings, left, namesOf)
      if (!found) continue
      const test = testNamed(tests, right)
      if (test) return { recording: found, test }
    }
    const [[left, right]] = splits as [[string, string]]
    const which = only(recordings, left, namesOf)
      ? `one test by "${right}"`
      : `one recording by "${left}"`
    throw invalidCommand(`--map "${line}" does not name ${which}. Write more of its name.`)
  })
}

function namesOf({ file, name }: NamedRecording): string[] {
  return [file, ...(name === undefined ? [] : [[name].flat().join('/'), [name].flat().join(' > ')])]
}

/** The one test that a person names by its title, by its cassette, or by a piece of these. */
export function testNamed(tests: readonly KnownTest[], said: string): KnownTest | undefined {
  return only(tests, said, ({ title, shown }) => [title, shown])
}

/** The one item with this name, or else the one of which this is a piece. */
function only<Item>(
  items: readonly Item[],
  said: string,
  names: (item: Item) => string[],
): Item | undefined {
  const whole = items.filter((item) => names(item).includes(said))
  const found =
    whole.length > 0
      ? whole
      : items.filter((item) => names(item).some((name) => name.includes(said)))
  return found.length === 1 && said !== '' ? found[0] : undefined
}
