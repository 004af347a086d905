import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Longer than TypeScript needs to find its files. */
const PATIENCE_MS = 20_000

/** The line that makes TypeScript know what this package adds to Vitest. */
export const TYPES_LINE = '/// <reference types="vitest-cassette" />'

const OWN_TYPES =
  /[\\/](?:node_modules[\\/])?vitest-cassette[\\/]dist[\\/](?:index|plugin)\.d\.mts$/m
const TEST_FILE = /\.(?:test|spec)\.[cm]?tsx?$/m

/**
 * What is to be told where TypeScript sees the tests of a project and not the types of this package, as where its
 * tsconfig.json includes `src` alone; `undefined` otherwise, and where there is no TypeScript.
 */
export async function explainUnseenTypes(root: string): Promise<string | undefined> {
  const files = existsSync(join(root, 'tsconfig.json')) && (await listFiles(root))
  if (!files || !TEST_FILE.test(files) || OWN_TYPES.test(files)) return undefined
  return (
    'By tsconfig.json, TypeScript does not see the types of vitest-cassette: `cassette` in the context of a test is unknown to it.\n' +
    `Put this line into a file that it sees, such as src/cassettes.d.ts:\n  ${TYPES_LINE}`
  )
}

/** The files that TypeScript would check, as it prints them; `undefined` where it cannot be asked. */
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
