import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  foldersOutsideGit,
  makeOutsideGit,
  OWNER_ONLY,
  presentOutsideGit,
} from '../../../cassette/paths.ts'
import { sha256 } from '../../../prompt/sha256.ts'
import type { Change } from '../../../diff/change.ts'
import { replaceNote } from '../../../secrets/replace-note.ts'
import type { Folder, PendingRecording } from './recording.ts'

const FILE = 'accepted'

/**
 * Remembers which changes a person has accepted, so that a review continues where the last one ended. A mark is valid
 * for one change and one text of a recording: a new recording needs a new verdict.
 */
export class Marks {
  readonly #known: Set<string>
  readonly #folders: readonly Folder[]

  constructor(folders: readonly Folder[]) {
    this.#folders = folders
    this.#known = new Set(folders.flatMap(readMarks))
  }

  has(recording: PendingRecording, change: Change): boolean {
    return this.#known.has(markOf(recording, change))
  }

  /** Marks changes as accepted, and drops the marks of changes that no recording has any more. */
  async add(
    accepted: ReadonlyArray<readonly [PendingRecording, Change]>,
    all: Iterable<PendingRecording>,
  ): Promise<void> {
    for (const [recording, change] of accepted) this.#known.add(markOf(recording, change))
    const current = Map.groupBy(all, ({ folder }) => JSON.stringify([folder.root, folder.dir]))
    for (const folder of this.#folders) {
      const recordings = current.get(JSON.stringify([folder.root, folder.dir])) ?? []
      const marks = recordings.flatMap((recording) =>
        recording.comparison.changes.map((change) => markOf(recording, change)),
      )
      await writeMarks(
        folder,
        marks.filter((mark) => this.#known.has(mark)),
      )
    }
  }
}

function markOf({ comparison: { name }, text, isKept }: PendingRecording, { key }: Change): string {
  return sha256(JSON.stringify([name, isKept, sha256(text), key]))
}

function readMarks({ root, dir }: Folder): string[] {
  return presentOutsideGit(root, dir, 'reviewed').flatMap((folder) => {
    try {
      return readFileSync(join(folder, FILE), 'utf8').split('\n')
    } catch {
      return []
    }
  })
}

/** Writes marks. If no folder can be written, the next review asks again. */
async function writeMarks({ root, dir }: Folder, marks: readonly string[]): Promise<void> {
  for (const folder of foldersOutsideGit(root, dir, 'reviewed')) {
    try {
      makeOutsideGit(root, folder)
      await replaceNote(join(folder, FILE), marks.join('\n'), OWNER_ONLY)
      return
    } catch {
      // Tries the other folder.
    }
  }
}
