import { spawn } from 'node:child_process'
import { once } from 'node:events'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Opens an address in the user's browser: that of `BROWSER`, or else the one of the system.
 *
 * @returns false where there is none
 */
export async function openInBrowser(
  url: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [command, ...args] = browserOf(env, platform)
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true, env })
  child.unref()
  try {
    await once(child, 'spawn')
    return true
  } catch {
    return false
  }
}

/** The command that opens an address, without the address. */
export function browserOf({ BROWSER }: Env, platform: NodeJS.Platform): string[] {
  if (BROWSER) return [BROWSER]
  if (platform === 'darwin') return ['open']
  // `start` takes its first quoted argument as a title.
  return platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
}
