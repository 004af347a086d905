import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Shows a long text in the user's pager, with the settings that git uses: the pager ends by itself if the text fits on
 * a screen.
 *
 * @param pager the command, as a shell takes it
 * @returns false if there is none, or if it did not start: the caller then writes the text
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
    // The user may quit the pager before all is written.
    child.stdin.on('error', () => {}).end(text)
    const [code] = (await once(child, 'close')) as [number | null]
    // A shell returns these codes for a command that it cannot run or find.
    return code !== 126 && code !== 127
  } catch {
    return false
  } finally {
    process.off('SIGINT', ignore)
  }
}
