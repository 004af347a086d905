import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasProjects } from '../../../../src/runners/vitest/versions/several-projects.ts'

function folderWith(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitest-cassette-projects-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of files) writeFileSync(join(folder, file), '')
  return folder
}

test.each([
  ['3.2.7', { projects: [] }, [], true],
  ['5.1.1', { projects: [] }, [], true],
  [undefined, { projects: [] }, [], true],
  ['3.2.7', { workspace: 'other.ts' }, [], true],
  ['3.2.7', {}, ['vitest.workspace.mts'], true],
  ['3.2.7', undefined, ['vitest.projects.json'], true],
  ['3.2.7', {}, ['vitest.config.ts'], false],
  ['4.0.18', { workspace: 'other.ts' }, ['vitest.workspace.ts'], false],
  [undefined, {}, ['vitest.workspace.ts'], false],
])('Vitest %s with %j and %j: %s', (version, config, files, expected) => {
  expect(hasProjects({ root: folderWith(...files), test: config }, version)).toBe(expected)
})

test('the workspace file is that of the folder of the config', () => {
  const folder = folderWith('vitest.workspace.ts')
  const config = { root: folderWith(), configFile: join(folder, 'vitest.config.ts'), test: {} }
  expect(hasProjects(config, '3.2.7')).toBe(true)
})
