import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STARTED_RUN } from '../../../src/config/environment.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

/** A project whose Vitest runs no test, but says of each run what it is told to. */
function openProject(lines: object[]): CliProject {
  const project = new CliProject()
  const folder = join(project.root, 'node_modules/vitest')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  const texts = lines.map((line) => `${JSON.stringify(line)}\n`)
  writeFileSync(
    join(folder, 'vitest.mjs'),
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
     const [texts, count] = [${JSON.stringify(texts)}, new URL('count', import.meta.url)]
     const at = existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0
     writeFileSync(count, String(at + 1))
     writeFileSync(process.env.${STARTED_RUN}.split(' ')[1] + '/lines.jsonl', texts[at])`,
  )
  return project
}

/** A title that is a command of a CI runner, and that turns the direction of what a terminal writes. */
const TITLE = 'talk.test.ts > ##[error]\u202e'
const SPELLED = String.raw`talk.test.ts > #\u0023[error]\u202e`

test('doctor --json writes nothing that a terminal or a CI runner obeys', async () => {
  const found = { test: TITLE, declared: [], missing: [], pairs: [] }
  using project = openProject([{ kind: 'diagnosis', found }])
  const { out } = await project.run('doctor', '--json')
  expect(out).toContain(SPELLED)
  expect(JSON.parse(out)).toEqual([found])
})

test('doctor --json: that nothing was asked is no success', async () => {
  using project = openProject([{ kind: 'test', passed: true }])
  const { code, out, problems } = await project.run('doctor', '--json')
  expect([code, JSON.parse(out)]).toEqual([1, []])
  await expectGolden(problems, 'nothing-asked')
})

test('prune --json tells why nothing was deleted on standard error', async () => {
  using project = openProject([{ kind: 'test', passed: true }])
  const { code, out, problems } = await project.run('prune', '--json', '--yes')
  expect([code, JSON.parse(out)]).toEqual([1, { unused: [], deleted: false }])
  await expectGolden(problems, 'nothing-pruned')
})

test('doctor --twice --json writes nothing that a terminal or a CI runner obeys', async () => {
  const run = { test: TITLE, declared: [], hasMiss: false }
  const asked = ['one', 'other'].map((text) => ({
    kind: 'asked',
    asked: { ...run, requests: [{ text }] },
  }))
  using project = openProject(asked)
  const { out } = await project.run('doctor', '--twice', '--json')
  expect(out).toContain(SPELLED)
  expect(JSON.parse(out)).toMatchObject([{ test: TITLE, differences: [{ one: 'one' }] }])
})
