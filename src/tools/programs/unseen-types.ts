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
  if (await findsNoPackages(root))
    return (
      'By tsconfig.json, TypeScript looks for modules as in 2014 ("moduleResolution": "classic"), and finds no package: neither the types of Vitest nor those of vitest-cassette.\n' +
      'Set this in its compilerOptions:\n  "moduleResolution": "bundler"'
    )
  return (
    'By tsconfig.json, TypeScript does not see the types of vitest-cassette: `cassette` in the context of a test is unknown to it.\n' +
    `Put this line into a file that it sees, such as src/cassettes.d.ts:\n  ${TYPES_LINE}`
  )
}

/** The files that TypeScript would check, as it prints them; `undefined` if it cannot run. */
const listFiles = (root: string): Promise<string | undefined> =>
  runCompiler(root, '--listFilesOnly')

/** Formats of modules for which TypeScript before 6 looks by the oldest of its ways, where nothing else is said. */
const CLASSIC = /^(?:es\w+|amd|umd|system)$/i

/** Whether TypeScript finds no package: then no line of types helps. */
async function findsNoPackages(root: string): Promise<boolean> {
  const shown = (await runCompiler(root, '--showConfig')) ?? ''
  const said = (name: string): string | undefined =>
    new RegExp(`"${name}": "([^"]+)"`).exec(shown)?.[1]
  const resolution = said('moduleResolution')
  if (resolution !== undefined) return resolution.toLowerCase() === 'classic'
  const module = said('module') ?? (/^es(?!3|5)/i.test(said('target') ?? '') ? 'es2015' : '')
  const major = Number.parseInt((await runCompiler(root, '--version'))?.split(' ')[1] ?? '', 10)
  return major < 6 && CLASSIC.test(module)
}

async function runCompiler(root: string, word: string): Promise<string | undefined> {
  const tsc = findCompiler(root)
  if (tsc === undefined) return undefined
  const args = [tsc, word, '-p', root]
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
