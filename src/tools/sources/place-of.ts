import { dirname, relative, resolve } from 'node:path'
import { CassetteStore } from '../../cassette/store.ts'
import type { Terminal } from '../terminal/command.ts'
import { invalidCommand } from '../terminal/options.ts'
import { MAX_BYTES, namesIn } from './cassette-folders.ts'
import type { Source } from './source.ts'

/** The place of a cassette that a command writes, in a folder of cassettes or anywhere else. */
export function placeOf(
  { name, path, store, cassette }: Source,
  { cwd }: Terminal,
): { store: CassetteStore; path: string } {
  if (store && path !== undefined) return { store, path }
  if (!cassette) throw invalidCommand(`${name} is no cassette.`)
  const file = resolve(cwd, name)
  // The pictures of a cassette are beside it, or above it where its folder has one for each test file.
  const above = foldersAbove(dirname(file))
  const folder = above.find((one) => namesIn(one).includes('blobs')) ?? above[0]!
  const found = new CassetteStore(cwd, relative(cwd, folder) || '.', MAX_BYTES)
  return { store: found, path: found.pathTo(file) }
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)]
}
