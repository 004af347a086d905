import { basename, dirname, join } from '../../real/path.ts'
import { escapePattern } from '../../text/escape-pattern.ts'
import type { TestInfo } from '@playwright/test'
import { existsSync } from '../../real/files.ts'
import { displayPath, isWithin, pathFrom } from '../../config/paths.ts'
import type { TestPlace } from '../../cassette/test-place.ts'
import { quoteWord, recording } from '../../text/command-line.ts'
import type { TestIdentity } from '../../engine/session-contract.ts'
import type { LateListener, Owner } from '../../attempt/owner.ts'
import { layers } from '../../transports/layers.ts'

/** The names of a config that Playwright finds by itself. */
const USUAL_CONFIG = /^playwright\.config\.[cm]?[jt]s$/

/** A test of Playwright, or the hooks of its file, as the owner of a cassette in a folder beside the test file. */
export class SpecOwner implements Owner {
  readonly root: string
  /** The cassette folder, relative to the root. */
  readonly dir: string
  readonly late: LateListener
  readonly #place: TestPlace
  readonly #test: TestInfo

  /**
   * @param dir the cassette folder, relative to the folder of the test file
   * @param isOfHooks whether the cassette is that of the `beforeAll` and `afterAll` of the file
   */
  constructor(test: TestInfo, dir: string, late: LateListener, isOfHooks: boolean) {
    const { config, file, titlePath } = test
    const folder = dirname(file)
    const project = config.configFile ? dirname(config.configFile) : config.rootDir
    this.root = isWithin(project, folder) ? project : folder
    this.dir = pathFrom(this.root, join(folder, dir))
    this.late = late
    const titles = isOfHooks ? [] : titlePath.slice(1)
    // Playwright permits no two tests of one name in a file, but two that differ in how letters are composed.
    const ordinal = titles.every((title) => title === title.normalize('NFC')) ? 0 : 1
    this.#place = { file: basename(file), titles, ordinal }
    this.#test = test
  }

  test(): TestIdentity {
    const { conversationId, ASKED_PICTURES } = layers.verbatim()
    const { config, file, project, tags } = this.#test
    const titlePath = [this.#place.file, ...this.#place.titles]
    return {
      id: conversationId(this.#place),
      cassette: this.shown(`${this.dir}/${this.path()}`),
      blobs: this.shown(`${this.dir}/blobs`),
      asked: this.shown(ASKED_PICTURES),
      recordCommand: playwrightRecordCommand({ config, file, project, tags, titlePath }),
    }
  }

  shown(path: string): string {
    return displayPath(process.cwd(), join(this.root, path))
  }

  path(): string {
    return layers.verbatim().cassettePathIn(join(this.root, this.dir), this.#place)
  }

  hasCassette(): boolean {
    return existsSync(join(this.root, this.dir, this.path()))
  }
}

/** The command that records one test again. Several fit into one line. */
export function playwrightRecordCommand(
  test: Pick<TestInfo, 'config' | 'file' | 'project' | 'titlePath' | 'tags'>,
  platform: NodeJS.Platform = process.platform,
): string {
  const { config, file, project, titlePath, tags } = test
  const own = config.configFile && displayPath(process.cwd(), config.configFile)
  const isWindows = platform === 'win32'
  // PowerShell has quotes of its own.
  const escape = isWindows ? (text: string) => text.replaceAll(/[^\w ./-]/g, '.') : patternOf
  const title = escape(titlePath.slice(1).join(' ')) + (tags.length > 0 ? '( @.+)*$' : '$')
  const quote = (text: string): string => quoteWord(text, platform)
  const command = [
    `npx playwright test ${quote(escape(displayPath(process.cwd(), file)))}`,
    ...(own && !USUAL_CONFIG.test(own) ? [`--config ${quote(own)}`] : []),
    ...(config.projects.length > 1 ? [`--project ${quote(project.name)}`] : []),
    ...(titlePath.length > 1 ? [`-g ${quote(title)}`] : []),
  ].join(' ')
  return recording(command, platform)
}

/** Playwright reads files as patterns too. A dot matches itself, and people can read it. */
function patternOf(text: string): string {
  return text.split('.').map(escapePattern).join('.')
}
