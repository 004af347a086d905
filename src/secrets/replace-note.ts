import { writeAtomically } from '../cassette/write-file.ts'
import { safe } from './notes.ts'

/** Writes a note as {@link writeAtomically} writes a file. */
export async function replaceNote(
  file: string,
  content: string | Uint8Array,
  mode?: number,
): Promise<void> {
  await writeAtomically(file, safe(content), mode)
}
