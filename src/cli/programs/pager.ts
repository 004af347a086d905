import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'

/**
 * Shows a long text through the user's pager, as git does: the one that git would take, which ends by itself where the
 * text fits on a screen.
 *
 * @param pager the command, as a shell takes it
 * @returns false where there is none, or it did not start: the text is then to be written
 */
export async function showInPager(
  text: string,
  pager: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  if (!pager || pager === 'cat') return false
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...env, LESS: env.LESS ?? 'FRX', LV: env.LV ?? '-c' },
  })
  // Ctrl-C is for the pager, which has the terminal.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  try {
    endWith(child.stdin, text)
    const [code] = (await once(child, 'close')) as [number | null]
    // A shell says so of a command that it does not find or cannot run.
    return code !== 126 && code !== 127
  } catch {
    return false
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** Who has seen enough ends the pager before all is written. */
function endWith(stream: Writable, text: string): void {
  stream.on('error', () => {})
  stream.end(text)
}
