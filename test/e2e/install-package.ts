import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleSdks } from './bundle-sdks.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the test projects of this run are; git-ignored. Each run has its own, known by its environment. */
export function workspace(): string {
  const path = process.env.CASSETTE_WORKSPACE
  if (!path) throw new Error('No package is installed for the test projects: see installPackage.')
  return path
}

/**
 * Installs the built package where the test projects find it, as a copy below `node_modules`: a link
 * would be resolved to this repository, and Vitest treats what is inside `node_modules` differently.
 * Returns what removes it, and the projects, again. Each project of this suite calls it, and the first installs.
 */
export default async function installPackage(): Promise<() => void> {
  if (process.env.CASSETTE_WORKSPACE) return () => {}
  if (!existsSync(`${root}dist/setup.mjs`))
    throw new Error('There is no build to test: run "npm run build".')
  mkdirSync(`${root}test/.tmp`, { recursive: true })
  const path = mkdtempSync(`${root}test/.tmp/run-`)
  process.env.CASSETTE_WORKSPACE = path
  // Hundreds of processes load the same files: compiled once, a run takes a fifth less.
  process.env.NODE_COMPILE_CACHE = `${path}/.compile-cache`
  const target = `${path}/node_modules/vitest-cassette`
  mkdirSync(target, { recursive: true })
  // A package of its own: inside this one, its name would lead back to the repository.
  writeFileSync(`${path}/package.json`, '{ "private": true, "type": "module" }')
  for (const part of ['package.json', 'dist', 'cassette.schema.json']) {
    cpSync(`${root}${part}`, `${target}/${part}`, { recursive: true })
  }
  await bundleSdks(`${path}/node_modules`)
  // Beside the projects, as it lies beside their originals.
  for (const file of ['projects/ask.ts', 'projects/keep.ts', 'lab/scenarios/changed.ts'])
    cpSync(`${root}test/${file}`, join(path, basename(file)))
  // As npm links it, so that npx finds the command.
  mkdirSync(`${path}/node_modules/.bin`)
  symlinkSync('../vitest-cassette/dist/cli.mjs', `${path}/node_modules/.bin/vitest-cassette`)
  // A process that ends keeps what it compiled even while this removes it.
  return () => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}
