import { dirname } from 'node:path'
import { hasTestFile } from '../cassette/test-file.ts'
import type { FolderCheck } from './check.ts'

/** A cassette whose test file is gone is played by nobody. */
export const testFiles: FolderCheck = {
  name: 'test-files',
  find({ root, cassettes }) {
    return cassettes
      .filter((path) => !hasTestFile(root, path))
      .map((path) => ({
        path,
        problem: `Its test file ${dirname(path)} is gone. Delete it, or move it with its test.`,
      }))
  },
}
