import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refuseSymlinks } from '../../cassette/paths.ts'
import { CassetteError } from '../../errors.ts'
import { writeNote } from '../../secrets/notes.ts'
import { replaceNote } from '../../secrets/replace-note.ts'
import { invalidCommand } from '../terminal/options.ts'
import type { ReportIndex } from './data/report-data.ts'
import { showText } from './show-text.ts'

/** In the head of each page of a report. A folder with such a page may be overwritten. */
const MARK = '<meta name="generator" content="vitest-cassette" />'

const PAGE_FILES = ['page.js', 'page.css'] as const

const OWN_FOLDERS = ['data', 'blobs'] as const

/** The folder of a report. Files that an earlier report left in `data` and `blobs` are removed, and no others. */
export class ReportFolder {
  readonly #folder: string
  readonly #written: Set<string> = new Set()

  /**
   * @throws CassetteError `invalid-command` for a folder that holds something else.
   */
  constructor(folder: string) {
    this.#folder = folder
    refuseOtherFolder(folder)
    for (const name of OWN_FOLDERS) {
      refuseSymlinks(dirname(folder), join(folder, name))
      mkdirSync(join(folder, name), { recursive: true })
      removeLinks(join(folder, name))
    }
  }

  writeData(name: string, value: unknown): void {
    this.#written.add(`data/${name}.js`)
    writeNote(join(this.#folder, `data/${name}.js`), dataScript(name, value))
  }

  /** Writes a picture or another file of a conversation, once. It is named by the hash of its content. */
  writeBlob(name: string, content: Uint8Array): void {
    const file = join(this.#folder, 'blobs', name)
    if (this.#written.has(`blobs/${name}`)) return
    this.#written.add(`blobs/${name}`)
    // One of the same size is complete.
    const { size } = lstatSync(file, { throwIfNoEntry: false }) ?? {}
    if (size !== content.length) writeNote(file, content)
  }

  /** Writes the page, removes the files that an earlier report left, and returns the path of the page. */
  async finish(index: ReportIndex): Promise<string> {
    const own = pageFolder()
    for (const name of PAGE_FILES)
      await replaceNote(join(this.#folder, name), readFileSync(join(own, name)))
    await replaceNote(join(this.#folder, 'data/index.js'), dataScript('index', index))
    this.#written.add('data/index.js')
    // Git ignores a report: it can be made again, and its pictures are large.
    await replaceNote(join(this.#folder, '.gitignore'), '*\n')
    const page = join(this.#folder, 'index.html')
    await replaceNote(page, readFileSync(join(own, 'index.html')))
    for (const folder of OWN_FOLDERS)
      for (const entry of readdirSync(join(this.#folder, folder), { withFileTypes: true }))
        if (entry.isFile() && !this.#written.has(`${folder}/${entry.name}`))
          rmSync(join(this.#folder, folder, entry.name))
    return page
  }
}

/**
 * Refuses a folder that is neither empty nor a report.
 *
 * @throws CassetteError `invalid-command`
 */
export function refuseOtherFolder(folder: string): void {
  if (!existsSync(folder)) return
  const page = join(folder, 'index.html')
  const isOurs = existsSync(page) && readFileSync(page, 'utf8').includes(MARK)
  if (isOurs || readdirSync(folder).length === 0) return
  throw invalidCommand(
    `${folder} holds something that is no report, and is left as it is.\nName an empty folder, or one that is not there.`,
  )
}

/** Removes symbolic links. Those of a checkout may lead anywhere, and a write would follow them. */
function removeLinks(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isSymbolicLink()) rmSync(join(folder, entry.name))
}

/** The folder of the built page: beside the built file, or in `dist` if this source file runs. */
function pageFolder(): string {
  const folders = ['./report/', '../../../dist/report/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  const built = folders.find((folder) => existsSync(join(folder, 'index.html')))
  if (built) return built
  throw new CassetteError('internal', `The page of the report is not built: ${folders[0]}`)
}

/** The function of the page that data files call. A page opened from disk can load scripts, and nothing else. */
const RECEIVER = 'receiveReport'

/** Characters that could end a script or a line of it. */
const DANGEROUS = /[<>\u2028\u2029]/g

/** Data as a script that hands it to the page, with characters escaped that could end the script. */
function dataScript(name: string, value: unknown): string {
  const json = JSON.stringify(value, showSafely).replace(DANGEROUS, escapeCharacter)
  return `${RECEIVER}(${JSON.stringify(name)},${json})\n`
}

/** Writes out what nobody sees in any text, but in the paths by which links find a cassette. */
function showSafely(field: string, value: unknown): unknown {
  return typeof value === 'string' && field !== 'path' ? showText(value) : value
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
