import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { ORPHAN_REPORT, type OrphanReport } from '../cassette/orphan-report.ts'
import { CassetteError } from '../errors.ts'
import type { Terminal } from './command.ts'

/** A run of all tests, and what it says about cassettes; nothing where the plugin took no part in it. */
export interface JudgingRun {
  output: string
  report?: OrphanReport
}

/**
 * Runs the tests of a project in replay, to know which of them there are.
 *
 * @param args options of Vitest
 * @throws CassetteError `invalid-command` where there is no Vitest.
 */
export async function runAllTests(
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
  args: readonly string[],
): Promise<JudgingRun> {
  const folder = mkdtempSync(join(tmpdir(), 'vitest-cassette-'))
  const file = join(folder, 'orphans.json')
  try {
    // Reporters and coverage of the config would leave files.
    const own = ['run', '--reporter=dot', '--coverage.enabled=false']
    const child = spawn(process.execPath, [findVitest(cwd), ...own, ...args], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, RECORD: '0', [ORPHAN_REPORT]: file },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    await new Promise((resolve) => child.on('close', resolve))
    return { output, ...tryRead(file) }
  } finally {
    rmSync(folder, { recursive: true })
  }
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

function tryRead(file: string): { report?: OrphanReport } {
  try {
    return { report: JSON.parse(readFileSync(file, 'utf8')) as OrphanReport }
  } catch {
    return {}
  }
}
