import { dirname } from 'node:path'
import { TestFiles } from '../cassette/disk/test-file.ts'
import type { FolderCheck } from './check.ts'

/** No test plays a cassette whose test file is gone. */
export const testFiles: FolderCheck = {
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
