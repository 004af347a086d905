import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The time limit for TypeScript to find its files. */
const PATIENCE_MS = 20_000

/** The line that gives TypeScript the types that this package adds to Vitest. */
export const TYPES_LINE = '/// <reference types="vitest-cassette" />'

const OWN_TYPES =
  /[\\/](?:node_modules[\\/])?vitest-cassette[\\/]dist[\\/](?:index|plugin)\.d\.mts$/m
const TEST_FILE = /\.(?:test|spec)\.[cm]?tsx?$/m

/**
 * The advice for a project in which TypeScript sees the tests but not the types of this package, for example since its
 * tsconfig.json includes `src` alone; `undefined` for other projects and without TypeScript.
 */
export async function explainUnseenTypes(root: string): Promise<string | undefined> {
  const files = existsSync(join(root, 'tsconfig.json')) && (await listFiles(root))
  if (!files || !TEST_FILE.test(files) || OWN_TYPES.test(files)) return undefined
  return (
    'By tsconfig.json, TypeScript does not see the types of vitest-cassette: `cassette` in the context of a test is unknown to it.\n' +
    `Put this line into a file that it sees, such as src/cassettes.d.ts:\n  ${TYPES_LINE}`
  )
}

/** The files that TypeScript would check, as it prints them; `undefined` if it cannot run. */
async function listFiles(root: string): Promise<string | undefined> {
  const tsc = findCompiler(root)
  if (tsc === undefined) return undefined
  const args = [tsc, '--listFilesOnly', '-p', root]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: PATIENCE_MS,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve) => {
    child.on('close', () => resolve(output))
    child.on('error', () => resolve(undefined))
  })
}

function findCompiler(root: string): string | undefined {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve('typescript/package.json')
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin?: { tsc?: string } }
    return bin?.tsc === undefined ? undefined : join(dirname(manifest), bin.tsc)
  } catch {
    return undefined
  }
}
