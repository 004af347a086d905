import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CassetteError } from '../../../errors.ts'
import { renderTextconv } from '../render/render-textconv.ts'
import type { Git } from '../../programs/git.ts'
import { stateOf } from './read-states.ts'

/** The text of a file that git compares; unchanged if it is no readable cassette. */
export function textconv(file: string, git: Git): string {
  const bytes = readFileSync(resolve(git.cwd, file))
  const { cassette, text } = stateOf(bytes, (name) => findBlob(name, file, git))
  return cassette ? renderTextconv(cassette, text) : text
}

/** Finds a picture. Git may hand over a copy that lies elsewhere, so all `blobs` folders here are searched. */
function findBlob(name: string, file: string, git: Git): Buffer {
  const beside = join(dirname(resolve(git.cwd, file)), '..', 'blobs', name)
  if (existsSync(beside)) return readFileSync(beside)
  const found = git.try(['ls-files', '-z', '--', `:(glob)**/blobs/${name}`])
  const path = join(git.cwd, found?.split('\0')[0] ?? '')
  if (found && existsSync(path)) return readFileSync(path)
  throw new CassetteError('invalid-cassette', `its file blobs/${name} is missing`)
}
