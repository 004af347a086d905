import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { createRequire, findPackageJSON, isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Manifest {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Manifest>
}

/** The folders of the packages that a package manager installs for one, its own left out. */
function installedFor(folder: string, found = new Set<string>()): Set<string> {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    folder === '' ? { dependencies: manifest.dependencies } : packages[folder]!
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  )
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }).concat(peers)) {
    const at = locate(name, folder)
    if (found.has(at)) continue
    found.add(at)
    installedFor(at, found)
  }
  return found
}

/** Where Node finds a package that another one requires. */
function locate(name: string, from: string): string {
  const at = `${from}${from === '' ? '' : '/'}node_modules/${name}`
  if (at in packages) return at
  if (from === '') throw new Error(`package-lock.json has no ${name}.`)
  const above = from.lastIndexOf('/node_modules/')
  return locate(name, above < 0 ? '' : from.slice(0, above))
}

function bytesBelow(folder: string): number {
  return globSync('**/*', { cwd: join(root, folder), exclude: (path) => path === 'node_modules' })
    .map((path) => statSync(join(root, folder, path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

/** The size of the package itself, unpacked. */
function packedBytes(): number {
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  })
  const [packed] = Object.values(JSON.parse(told) as Record<string, { unpackedSize: number }>)
  return packed!.unpackedSize
}

const installed = installedFor('')

/** What Bun has itself, whatever is installed. */
const OF_BUN = ['bun:test', 'node-fetch', 'undici']

test('with this package, few others are installed, and little in all', () => {
  expect([...installed].length).toBeLessThanOrEqual(14)
  const others = [...installed].map(bytesBelow).reduce((sum, bytes) => sum + bytes, 0)
  expect(others / 1e6).toBeGreaterThan(1)
  expect((others + packedBytes()) / 1e6).toBeLessThan(7.5)
})

test('docs/stability.md says of each dependency what it is for', () => {
  const page = readFileSync(join(root, 'docs/stability.md'), 'utf8')
  const [, section] = /^## What is installed\n([^]*?)(?=^## )/m.exec(page)!
  const told = Array.from(section!.matchAll(/^\| `([^`]+)`/gm), ([, name]) => name)
  expect(told.toSorted()).toEqual(Object.keys(manifest.dependencies!).toSorted())
})

test('what the package loads and what its types name is installed with it', () => {
  const known = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
  // Its own name, and what the package finds where it is used, and says so where it is not.
  for (const name of ['vitest-cassette', 'jest-environment-node']) known.add(name)
  const missing = distFiles().flatMap((file) => {
    const text = readFileSync(join(root, 'dist', file), 'utf8')
    return namedIn(text)
      .filter(
        (name) =>
          !isBuiltin(name) &&
          !name.startsWith('cloudflare:') &&
          !known.has(packageOf(name)) &&
          !(file.startsWith('bun') && OF_BUN.includes(name)),
      )
      .map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('no pool has to load an ES module at once', () => {
  const texts = distFiles().map((file) => readFileSync(join(root, 'dist', file), 'utf8'))
  // What `loadPackage` loads is not of the world of a test.
  const names = new Set(
    texts.flatMap((text) =>
      Array.from(text.matchAll(/requireFrom\([^"]*\)\("([^"]+)"\)/g), ([, name]) => name!),
    ),
  )
  expect(names).toContain('ws')
  const { resolve } = createRequire(join(root, 'dist/index.mjs'))
  const modules = [...names].filter((name) => !name.endsWith('.cjs') && isModule(resolve(name)))
  expect(modules).toEqual([])
})

function isModule(file: string): boolean {
  const manifest = findPackageJSON(pathToFileURL(file))!
  const { type } = JSON.parse(readFileSync(manifest, 'utf8')) as { type?: string }
  return file.endsWith('.mjs') || (file.endsWith('.js') && type === 'module')
}

test('the part of MSW that ships has the interceptors that are installed', () => {
  expect(locate('@mswjs/interceptors', 'node_modules/msw')).toBe('node_modules/@mswjs/interceptors')
})

function distFiles(): string[] {
  return globSync('*.{mjs,cjs,mts,cts}', { cwd: join(root, 'dist') })
}

/** The packages and builtin modules that code imports or requires, however it does. */
function namedIn(code: string): string[] {
  const withoutComments = code.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')
  return Array.from(
    withoutComments.matchAll(
      /(?:\bfrom ?|\bimport[ (]|\b(?:require|load|loadPackage|\.url|\.href)\)?\()(['"])([@a-z][\w@/.:-]*)\1/g,
    ),
    ([, , name]) => name!,
  )
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
