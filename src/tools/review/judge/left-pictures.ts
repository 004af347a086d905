import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pathFrom } from '../../../config/paths.ts'
import { deleteLeftovers, findLeftovers } from '../../../cassette/leftovers.ts'
import type { Git } from '../../programs/git.ts'
import type { Copies } from './keep-copy.ts'
import type { PendingRecording } from './recording.ts'

/** The names of the files that a cassette refers to. */
export function blobsIn(text: string): string[] {
  return Array.from(text.matchAll(/\b[0-9a-f]{64}\.[a-z0-9]{2,5}\b/g), ([name]) => name)
}

/** Moves pictures of rejected recordings to their copies, unless a cassette needs them or the last commit has them. */
export async function moveLeftPictures(
  rejected: readonly PendingRecording[],
  git: Git,
  copies: Copies,
): Promise<void> {
  const folders = Map.groupBy(rejected, ({ folder: { root, dir } }) => `${root}\n${dir}`)
  for (const [first, ...others] of folders.values()) {
    const { folder } = first!
    const names = new Set([first!, ...others].flatMap(({ text }) => blobsIn(text)))
    if (names.size === 0) continue
    const left = findLeftovers({ ...folder, orphans: [] }).filter(
      ({ file }) => names.has(basename(file)) && !isInHead(file, git),
    )
    for (const { file } of left) {
      await copies.keep(folder, `blobs/${basename(file)}`, readFileSync(file))
      git.try(['rm', '--quiet', '--cached', '--ignore-unmatch', '--', file])
    }
    deleteLeftovers({ ...folder, orphans: [] }, left)
  }
}

function isInHead(file: string, git: Git): boolean {
  const path = pathFrom(git.cwd, file)
  return git.try(['cat-file', '-e', `HEAD:./${path}`]) !== undefined
}
