import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { CassetteError } from '../errors.ts'
import type { Terminal } from './command.ts'

/**
 * Runs the tests of a project in replay, and returns what Vitest prints and its exit code.
 *
 * @param args options of Vitest
 * @param more further variables of the environment
 * @throws CassetteError `invalid-command` where there is no Vitest.
 */
export async function runVitest(
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
  args: readonly string[],
  more: Record<string, string>,
): Promise<{ output: string; exitCode: number | null }> {
  // Reporters and coverage of the config would leave files.
  const own = ['run', '--reporter=dot', '--coverage.enabled=false']
  const child = spawn(process.execPath, [findVitest(cwd), ...own, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, RECORD: '0', ...more },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { output, exitCode }
}

/** Runs tests as the user would, and returns the exit code. */
export async function showVitest(
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
  args: readonly string[],
  more: Record<string, string>,
): Promise<number | null> {
  const child = spawn(process.execPath, [findVitest(cwd), 'run', ...args], {
    cwd,
    stdio: 'inherit',
    env: { ...env, ...more },
  })
  return new Promise((resolve) => child.on('close', resolve))
}

function findVitest(cwd: string): string {
  try {
    const { resolve } = createRequire(join(cwd, 'package.json'))
    return join(dirname(resolve('vitest/package.json')), 'vitest.mjs')
  } catch {
    throw new CassetteError(
      'invalid-command',
      `Vitest is not installed for ${cwd}.\nRun this where the config of Vitest is.`,
    )
  }
}
