import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CACHE_FOLDER } from '../../config/paths.ts'
import { PriceTable } from '../../conversation/cost.ts'
import { linkToCassette } from './data/report-link.ts'
import { writeReport } from './write-report.ts'
import type { CassetteFolder } from '../sources/cassette-folders.ts'
import { reportSources } from './write-page.ts'
import type { Terminal } from '../terminal/command.ts'

/** Shows a cassette in a browser, on a page that is written outside git, and prints the address of the page. */
export async function browseCassette(
  name: string,
  folders: readonly CassetteFolder[],
  { cwd, env, write, progress }: Terminal,
): Promise<void> {
  const { page } = await writeReport(resolve(cwd, CACHE_FOLDER, 'review'), {
    sources: progress.over(reportSources(folders), 'cassettes read'),
    prices: new PriceTable(),
  })
  const url = pathToFileURL(page).href + linkToCassette(name)
  const isOpen = await openInBrowser(url, env)
  write(isOpen ? `Opened ${url}\n` : `No browser opens here. The page is ${url}\n`)
}

/**
 * Opens an address in the user's browser: that of `BROWSER`, or else the one of the system.
 *
 * @returns false where there is none
 */
export async function openInBrowser(
  url: string,
  env: Terminal['env'],
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [command, ...args] = browserOf(env, platform)
  const isShell = command === 'cmd'
  const child = spawn(command!, [...args, isShell ? `"${url}"` : url], {
    stdio: 'ignore',
    detached: true,
    env,
    // Node would leave a word without spaces unquoted, and cmd would run what is behind an `&`.
    windowsVerbatimArguments: isShell,
  })
  child.unref()
  try {
    await once(child, 'spawn')
    return true
  } catch {
    return false
  }
}

/** The command that opens an address, without the address. */
export function browserOf({ BROWSER }: Terminal['env'], platform: NodeJS.Platform): string[] {
  if (BROWSER) return [BROWSER]
  if (platform === 'darwin') return ['open']
  // `start` takes its first quoted argument as a title.
  return platform === 'win32' ? ['cmd', '/c', 'start', '""'] : ['xdg-open']
}
