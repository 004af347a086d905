import { isCassettePath } from '../cassette/disk/path.ts'
import type { FolderCheck, Remark } from './check.ts'

/** Finds files that no test looks for, and names that some file systems do not keep apart. */
export const paths: FolderCheck = {
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
