import { basename, dirname, join } from '../../real/path.ts'
import { escapePattern } from '../../text/escape-pattern.ts'
import type { TestInfo } from '@playwright/test'
import { displayPath, isWithin, pathFrom } from '../../config/paths.ts'
import { quoteWord, recording } from '../../text/command-line.ts'
import type { LateListener } from '../../attempt/owner.ts'
import { RunnerOwner } from '../other/runner-owner.ts'

/** The names of a config that Playwright finds by itself. */
const USUAL_CONFIG = /^playwright\.config\.[cm]?[jt]s$/

/** A test of Playwright, or the hooks of its file, as the owner of a cassette in a folder beside the test file. */
export class SpecOwner extends RunnerOwner {
  /** The cassette folder, relative to the root. */
  readonly dir: string

  /**
   * @param dir the cassette folder, relative to the folder of the test file
   * @param isOfHooks whether the cassette is that of the `beforeAll` and `afterAll` of the file
   */
  constructor(test: TestInfo, dir: string, late: LateListener, isOfHooks: boolean) {
    const { config, file, titlePath, tags, project: ofTest } = test
    const folder = dirname(file)
    const project = config.configFile ? dirname(config.configFile) : config.rootDir
    const root = isWithin(project, folder) ? project : folder
    const titles = isOfHooks ? [] : titlePath.slice(1)
    // Playwright permits no two tests of one name in a file, but two that differ in how letters are composed.
    const ordinal = titles.every((title) => title === title.normalize('NFC')) ? 0 : 1
    const place = { file: basename(file), titles, ordinal }
    super(place, root, late, () =>
      playwrightRecordCommand({
        config,
        file,
        project: ofTest,
        tags,
        titlePath: [place.file, ...titles],
      }),
    )
    this.dir = pathFrom(root, join(folder, dir))
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
