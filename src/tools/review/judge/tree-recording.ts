import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseSymlinks } from '../../../cassette/paths.ts'
import { CassetteError } from '../../../errors.ts'
import type { CassetteComparison } from '../../compare/compare-cassettes.ts'
import type { Git } from '../../programs/git.ts'
import { blobsIn } from './left-pictures.ts'
import type { Copies } from './keep-copy.ts'
import type { Folder, PendingRecording } from './recording.ts'

/** Options of git: no hooks, and paths without wildcards. */
const QUIETLY = ['-c', 'core.hooksPath=/dev/null', '--literal-pathspecs']

/** A cassette of the working tree that differs from the last commit. */
export class TreeRecording implements PendingRecording {
  readonly isKept = false
  readonly comparison: CassetteComparison
  readonly text: string
  readonly folder: Folder
  readonly #git: Git
  readonly #copies: Copies

  /** The path of the cassette folder, relative to the working directory of the user. */
  readonly #dir: string

  constructor(
    place: { comparison: CassetteComparison; text: string; folder: Folder; dir: string },
    git: Git,
    copies: Copies,
  ) {
    this.comparison = place.comparison
    this.text = place.text
    this.folder = place.folder
    this.#dir = place.dir
    this.#git = git
    this.#copies = copies
  }

  /** Does nothing: the recording is in its place already. */
  async accept(): Promise<void> {}

  async reject(): Promise<string | undefined> {
    const { name, was } = this.comparison
    const isNew = this.comparison.changes.some(
      ({ kind, place }) => kind === 'added' && place.of === 'cassette' && !place.inside,
    )
    const file = join(this.#git.cwd, name)
    refuseSymlinks(this.#git.cwd, file)
    const now = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (now !== this.text)
      throw new CassetteError('invalid-command', `${name} has changed since it was compared`)
    const path = name.slice(this.#dir.length)
    const copy = now === '' ? undefined : await this.#copies.keep(this.folder, path, now)
    if (isNew || was !== undefined) {
      this.#run('rm', '--quiet', '--cached', '--ignore-unmatch', '--', name)
      await rm(file, { force: true })
    }
    if (!isNew) this.#restore(was ?? name)
    return copy
  }

  /** Restores a file from the last commit, in the index too, so that a rejected recording is not committed. */
  #restore(name: string): void {
    this.#run('checkout', '--quiet', 'HEAD', '--', name)
    for (const blob of blobsIn(readFileSync(join(this.#git.cwd, name), 'utf8'))) {
      const path = `${this.#dir}blobs/${blob}`
      // Pictures that the rejected recording did not need may be gone.
      if (!existsSync(join(this.#git.cwd, path)))
        this.#git.try([...QUIETLY, 'checkout', '--quiet', 'HEAD', '--', path])
    }
  }

  #run(...words: string[]): void {
    this.#git.run([...QUIETLY, ...words])
  }
}
