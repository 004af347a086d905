import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CassetteStore } from '../../../cassette/store.ts'
import type { Cassette } from '../../../cassette/cassette.ts'
import { keepUnchanged } from '../../../recording/keep-unchanged.ts'
import type { CassetteComparison } from '../../compare/compare-cassettes.ts'
import type { Copies } from './keep-copy.ts'
import type { Folder, PendingRecording } from './recording.ts'

/** Files that are kept outside of git, and the cassette that is made of them. */
interface KeptFiles {
  store: CassetteStore
  /** The path below the cassette folder. */
  path: string
  cassette: Cassette
  /** The absolute paths of the kept files. */
  files: readonly string[]
}

/** The recording of a test that failed, or that was interrupted. */
export class KeptRecording implements PendingRecording {
  readonly isKept = true
  readonly comparison: CassetteComparison
  readonly text: string
  readonly folder: Folder
  readonly #kept: KeptFiles
  readonly #copies: Copies

  constructor(
    place: { comparison: CassetteComparison; text: string; folder: Folder },
    kept: KeptFiles,
    copies: Copies,
  ) {
    this.comparison = place.comparison
    this.text = place.text
    this.folder = place.folder
    this.#kept = kept
    this.#copies = copies
  }

  async accept(): Promise<void> {
    const { store, path, cassette } = this.#kept
    await store.save(path, cassette, keepUnchanged())
    await this.#deleteFiles()
  }

  async reject(): Promise<string | undefined> {
    const { files, path } = this.#kept
    let copy: string | undefined
    for (const file of files) {
      const name = file.endsWith(path) ? path : `${path}.${basename(file)}`
      const kept = await this.#copies.keep(this.folder, name, readFileSync(file))
      copy ??= kept
    }
    await this.#deleteFiles()
    return copy
  }

  async #deleteFiles(): Promise<void> {
    for (const file of this.#kept.files) await rm(file, { force: true })
  }
}
