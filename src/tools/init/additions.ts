import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuseSymlinks } from '../../cassette/paths.ts'
import { writeAtomically } from '../../cassette/write-file.ts'

/** Lines that a file or a setting lacks. */
export interface Addition {
  /** The file as the user types it. */
  file: string
  lines: string[]
  /** Absent where only a person can add them. */
  write?: () => void | Promise<void>
}

/** The text of a file, empty where there is none. */
export function read(folder: string, file: string): string {
  const path = join(folder, file)
  // The target of a symlink would be copied into a committed file.
  refuseSymlinks(folder, path)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Adds lines to the end of a file, with its line ends. */
export async function append(
  folder: string,
  file: string,
  lines: readonly string[],
): Promise<void> {
  const text = read(folder, file)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  await writeAtomically(join(folder, file), text + gap + lines.join(eol) + eol)
}
