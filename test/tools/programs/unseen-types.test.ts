import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { TYPES_LINE } from '../../../src/tools/programs/unseen-types.ts'
import { expectGolden } from '../../golden.ts'
import { needs } from '../../needs.ts'
import { CliProject } from '../run-cli.ts'

const installed = fileURLToPath(new URL('../../../node_modules/typescript', import.meta.url))
const older = fileURLToPath(
  new URL('../../../versions/node_modules/typescript-5.9', import.meta.url),
)

/** A project with a test in `src`, for which TypeScript is installed, and this package by its types alone. */
function openProject(include: string[]): CliProject {
  const project = new CliProject()
  const own = 'node_modules/vitest-cassette'
  for (const folder of ['src', `${own}/dist`])
    mkdirSync(join(project.root, folder), { recursive: true })
  symlinkSync(installed, join(project.root, 'node_modules/typescript'))
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module: 'nodenext', noEmit: true, types: [] },
      include,
    }),
    'src/a.test.ts': 'export const a = 1',
    'vitest.config.ts': "import 'vitest-cassette'",
    [`${own}/package.json`]:
      '{ "name": "vitest-cassette", "type": "module", "exports": { ".": "./dist/index.mjs" } }',
    [`${own}/dist/index.d.mts`]: 'export {}',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.root, name), text)
  return project
}

test('init says which line makes the types known where tsconfig.json includes src alone', async () => {
  using project = openProject(['src'])
  const { problems } = await project.run('init', '--yes')
  expect(problems).toContain(`\n  ${TYPES_LINE}\n`)
  await expectGolden(problems, 'unseen-types')
  writeFileSync(join(project.root, 'src/cassettes.d.ts'), TYPES_LINE)
  expect(await project.run('init')).toMatchObject({ code: 0, problems: '' })
})

test.each([
  ['the config is included', ['src', 'vitest.config.ts']],
  ['no test is included', ['vitest.config.ts']],
])('init says nothing of types where %s', async (_, include) => {
  using project = openProject(include)
  expect((await project.run('init', '--yes')).problems).toBe('')
})

test(
  'init names the reason, and no line, where TypeScript finds no package',
  needs('versions'),
  async () => {
    using project = openProject(['src'])
    rmSync(join(project.root, 'node_modules/typescript'))
    symlinkSync(older, join(project.root, 'node_modules/typescript'))
    for (const options of [
      { module: 'esnext' },
      { module: 'esnext', moduleResolution: 'classic' },
    ]) {
      const compilerOptions = { ...options, noEmit: true, types: [] }
      const config = JSON.stringify({ compilerOptions, include: ['src'] })
      writeFileSync(join(project.root, 'tsconfig.json'), config)
      const { problems } = await project.run('init', '--yes')
      expect(problems).toContain('"moduleResolution": "bundler"')
      expect(problems).not.toContain(TYPES_LINE)
    }
  },
)
