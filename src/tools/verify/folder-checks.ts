import { dirname } from 'node:path'
import { isCassettePath } from '../../cassette/paths.ts'
import { TestFiles } from '../../cassette/orphans.ts'
import type { FolderCheck, Remark } from './check.ts'

/** A link in a cassette folder could lead reads and writes anywhere; git stores links as they are. */
const links: FolderCheck = {
  name: 'links',
  find({ entries }) {
    return entries
      .filter(({ kind }) => kind === 'link' || kind === 'other')
      .map(({ path, kind }) => ({
        path,
        problem:
          kind === 'link'
            ? 'It is a symbolic link, which could lead anywhere. Replace it by the file or folder itself.'
            : 'It is neither a file nor a folder. Delete it.',
      }))
  },
}

/** Finds files that no test looks for, and names that some file systems do not keep apart. */
const paths: FolderCheck = {
  name: 'paths',
  find({ entries, cassettes, ofPrograms }) {
    const folders = entries
      .filter(({ path, kind }) => kind === 'folder' && isCassettePath(path))
      .map(({ path }) => ({ path, problem: 'A folder has the name of a cassette. Delete it.' }))
    const spellings = new Map<string, string>()
    const names = cassettes.flatMap((path): Array<Remark & { path: string }> => {
      const spelling = path.normalize('NFC').toLowerCase()
      const other = spellings.get(spelling)
      spellings.set(spelling, path)
      if (!isCassettePath(path) && !ofPrograms.has(path))
        return [
          { path, problem: 'No test has a cassette of this name. Delete it, or rename it back.' },
        ]
      if (other === undefined) return []
      return [
        { path, problem: `On some systems it is the same file as ${other}. Delete one of them.` },
      ]
    })
    return [...folders, ...names]
  },
}

/** No test plays a cassette whose test file is gone. */
const testFiles: FolderCheck = {
  name: 'test-files',
  find({ root, cassettes, ofPrograms }) {
    const files = new TestFiles(root)
    return cassettes
      .filter((path) => !ofPrograms.has(path) && !files.has(path))
      .map((path) => ({
        path,
        problem: `Its test file ${dirname(path)} is gone. Delete it, or move it with its test.`,
      }))
  },
}

/** Images and documents that no cassette needs any more. */
const unusedBlobs: FolderCheck = {
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

/** The checks of the folder, in the order of the report. */
export const FOLDER_CHECKS: readonly FolderCheck[] = [links, paths, testFiles, unusedBlobs]
