import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CassetteError } from '../../errors.ts'
import { renderTextconv } from '../render/render-textconv.ts'
import type { Git } from './git.ts'
import { stateOf } from './read-states.ts'

/** A file as the text that git compares: as it is, where it is no cassette that can be read. */
export function textconv(file: string, git: Git): string {
  const bytes = readFileSync(resolve(git.cwd, file))
  const { cassette, text } = stateOf(bytes, (name) => findBlob(name, file, git))
  return cassette ? renderTextconv(cassette, text) : text
}

/** Git hands over a copy that lies elsewhere: its pictures are in one of the folders here. */
function findBlob(name: string, file: string, git: Git): Buffer {
  const beside = join(dirname(resolve(git.cwd, file)), '..', 'blobs', name)
  if (existsSync(beside)) return readFileSync(beside)
  const found = git.try(['ls-files', '-z', '--', `:(glob)**/blobs/${name}`])
  const path = join(git.cwd, found?.split('\0')[0] ?? '')
  if (found && existsSync(path)) return readFileSync(path)
  throw new CassetteError('invalid-cassette', `its file blobs/${name} is missing`)
}
