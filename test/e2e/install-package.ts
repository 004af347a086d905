import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the test projects run; git-ignored. */
export const WORKSPACE: string = `${root}test/.tmp`

/**
 * Installs the built package where the test projects find it, as a copy below `node_modules`: a link
 * would be resolved to this repository, and Vitest treats what is inside `node_modules` differently.
 */
export default function installPackage(): void {
  if (!existsSync(`${root}dist/setup.mjs`))
    throw new Error('There is no build to test: run "npm run build".')
  rmSync(WORKSPACE, { recursive: true, force: true })
  const target = `${WORKSPACE}/node_modules/vitest-cassette`
  mkdirSync(target, { recursive: true })
  // A package of its own: inside this one, its name would lead back to the repository.
  writeFileSync(`${WORKSPACE}/package.json`, '{ "private": true, "type": "module" }')
  for (const part of ['package.json', 'dist', 'cassette.schema.json']) {
    cpSync(`${root}${part}`, `${target}/${part}`, { recursive: true })
  }
}
