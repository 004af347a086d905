import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { writeAtomically } from '../../cassette/write-file.ts'
import { isBackupFile, readBackup, writeBackup } from '../../histories/backup.ts'
import { writeIndex } from '../../histories/workspace-index.ts'
import type { Terminal } from '../terminal/command.ts'
import { openStore, type Sources } from '../sources/source.ts'
import { invalidCommand, textOption, type OptionValues } from '../terminal/options.ts'

/** Writes stored conversations into one file each, from which `history import` brings them back whole. */
export async function writeBackups(
  patterns: readonly string[],
  values: OptionValues,
  sources: Sources,
  terminal: Terminal,
): Promise<string[]> {
  const folder = openStore(textOption(values, 'store')!, values, terminal)
  const written: string[] = []
  for (const { name } of sources.open(patterns)) {
    const file = resolve(terminal.cwd, textOption(values, 'out')!, `${name}.json`)
    await writeAtomically(file, writeBackup(folder.read(name), folder))
    written.push(file)
  }
  return written
}

/** The files among the words of a command line that hold a stored conversation each. */
export function backupsAmong(words: readonly string[], { cwd }: Terminal): string[] {
  return words.filter((word) => existsSync(resolve(cwd, word)) && isBackupFile(resolve(cwd, word)))
}

/** Brings stored conversations back into a store. */
export async function readBackups(
  files: readonly string[],
  values: OptionValues,
  sources: Sources,
  terminal: Terminal,
): Promise<void> {
  const folder = openStore(textOption(values, 'store')!, values, terminal)
  const found = files.map((file) => ({ file, ...readBackup(resolve(terminal.cwd, file)) }))
  const known = new Set(folder.list())
  for (const { metadata } of found)
    if (known.has(metadata.id) && values.force !== true)
      throw invalidCommand(`The conversation ${metadata.id} exists. Replace it with --force.`)
  for (const { file, metadata, messages, blobs, problems } of found) {
    sources.reportAll(file, problems)
    if (known.has(metadata.id)) folder.delete(metadata.id)
    folder.begin({ metadata, messages }, blobs)
    terminal.write(`${relative(terminal.cwd, folder.folder)}/${metadata.id}\n`)
  }
  await writeIndex(folder)
}
