import type { FolderCheck } from './check.ts'

/** Images and documents that no cassette needs any more. */
export const unusedBlobs: FolderCheck = {
  name: 'unused-blobs',
  find({ entries, blobs, isComplete }) {
    if (!isComplete) return []
    return entries
      .filter(({ path, kind }) => kind === 'file' && path.startsWith('blobs/'))
      .filter(({ path }) => !blobs.has(path.slice('blobs/'.length)))
      .map(({ path }) => ({
        path,
        problem: 'No cassette refers to it. Delete it, as npx vitest-cassette prune does.',
      }))
  },
}
