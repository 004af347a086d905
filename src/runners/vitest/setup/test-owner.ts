import { join } from 'node:path'
import type { Owner } from '../../../attempt/owner.ts'
import { folderOfFile, type TestPlace } from '../../../cassette/test-place.ts'
import { quoteWord, recording, sendsNothing } from '../../../config/mode.ts'
import type { ResolvedConfig } from '../../../config/resolved-config.ts'
import type { TestIdentity } from '../../../engine/session-contract.ts'
import { existsSync } from '../../../real/files.ts'
import { layers } from '../../../transports/layers.ts'
import { fromUser, optionsHere, runHere } from './current-project.ts'
import type { LateReport } from './late-report.ts'

/** The files without any cassette, each by its report. */
const withoutCassettes: WeakSet<LateReport> = new WeakSet()

/** A test, or a file outside of its tests, as the owner of a cassette. */
export class TestOwner implements Owner {
  readonly root: string
  readonly late: LateReport
  readonly #place: TestPlace

  constructor(place: TestPlace, root: string, late: LateReport) {
    this.#place = place
    this.root = root
    this.late = late
  }

  test(dir: string): TestIdentity {
    const { conversationId, ASKED_PICTURES } = layers.verbatim()
    return {
      id: conversationId(this.#place),
      cassette: fromUser(`${dir}/${this.path(dir)}`),
      blobs: fromUser(`${dir}/blobs`),
      asked: fromUser(ASKED_PICTURES),
      recordCommand: recordCommand(this.#place),
    }
  }

  shown(path: string): string {
    return fromUser(path)
  }

  path(dir: string): string {
    return layers.verbatim().cassettePathIn(join(this.root, dir), this.#place)
  }

  /** Whether `vitest-cassette record` records other tests, and not this one. */
  isLeftOut({ run, dir }: ResolvedConfig): boolean {
    return run !== undefined && layers.verbatim().isLeftOut(run.folder, this.test(dir).cassette)
  }

  /** Whether any test of the same file has a cassette. */
  hasNeighbours(dir: string): boolean {
    return existsSync(join(this.root, dir, folderOfFile(this.#place.file)))
  }

  hasCassette({ dir, mode }: ResolvedConfig): boolean {
    // Asked at the end of every test. Nothing is written by tests that replay.
    if (withoutCassettes.has(this.late)) return false
    // The check for the folder comes first: it is cheaper than computing the name of the cassette.
    if (this.hasNeighbours(dir)) return existsSync(join(this.root, dir, this.path(dir)))
    if (sendsNothing(mode)) withoutCassettes.add(this.late)
    return false
  }
}

/** Matches the separator between the titles of suite and test: ` > ` in Vitest 5, a space in Vitest 4. */
const BETWEEN_TITLES = '( >)? '

/** The command that records one test, or the requests of one file, again and nothing else. */
export function recordCommand(
  { file, titles }: TestPlace,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return windowsCommand(file, titles)
  const chosen = optionsHere()
    .map((word) => ` ${quoteWord(word)}`)
    .join('')
  const command = recording(`npx ${runHere()} ${quoteWord(file)}${chosen}`, platform)
  return titles.length === 0
    ? command
    : `${command} -t ${quoteWord(`^${titles.map(escapePattern).join(BETWEEN_TITLES)}$`)}`
}

/** The same for PowerShell and cmd, which set no variable for one command, and quote in different ways. */
function windowsCommand(file: string, titles: readonly string[]): string {
  const pattern = titles.map((title) => title.replace(/[^\w -]/gu, '.')).join(BETWEEN_TITLES)
  const chosen = optionsHere().map((word) => (word.startsWith('--') ? word : `"${word}"`))
  return [
    `npx vitest-cassette record "${file}"`,
    ...chosen,
    ...(titles.length === 0 ? [] : [`-t "^${pattern}$"`]),
  ].join(' ')
}

function escapePattern(text: string): string {
  // A terminal would not pass control characters on unchanged, and those of direction would reverse the text.
  return text
    .replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '[^]')
}
