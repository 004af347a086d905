import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addRules } from '../../../src/tools/doctor/personal-data.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'
import { GitProject } from '../git-project.ts'

const PATH = 'a.test.ts/asks-0123456789.json'
const SAID =
  'I am ada@analytical.co.uk, +49 (30) 1234-5678, and my notes are in /home/lovelace/notes.'

/** A project in git whose Vitest runs nothing, with one cassette. */
async function openProject(said: string, config = 'cassettes()'): Promise<GitProject> {
  const project = new GitProject()
  const folder = join(project.root, 'node_modules/vitest')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'vitest.mjs'), '')
  writeFileSync(join(project.root, 'vitest.config.ts'), config)
  await project.save(PATH, recorded([question(said), 'Hello']))
  return project
}

test('doctor names personal data in what is about to be committed, its place, and the rules', async () => {
  using project = await openProject(SAID)
  const { code, out, problems } = await project.run('doctor')
  expect(code).toBe(1)
  expect(out).not.toContain('ada@')
  await expectGolden(problems, 'found')
})

test('what is committed already, and what is nobody’s, is not named', async () => {
  using project = await openProject('I am ada@example.com in /home/user.')
  expect((await project.run('doctor')).problems).not.toContain('redact')
  await project.save(PATH, recorded([question(SAID), 'Hello']))
  project.git('add', '-A')
  expect((await project.run('doctor')).problems).toContain('redact')
  project.git('commit', '-qm', 'all')
  expect((await project.run('doctor')).problems).not.toContain('redact')
})

test('--fix writes the rules into the config', async () => {
  using project = await openProject(SAID)
  const { problems } = await project.run('doctor', '--fix')
  await expectGolden(problems, 'fixed')
  const config = readFileSync(join(project.root, 'vitest.config.ts'), 'utf8')
  const [, rules] = /^cassettes\(\{ redact: \[(.*)\] \}\)$/.exec(config)!
  expect(rules!.split(', ')).toHaveLength(3)
  const [email] = rules!.split(', ')
  expect(new RegExp(email!.slice(1, -1)).exec(SAID)?.[0]).toBe('ada@analytical.co.uk')
})

test('where it is not clear where a rule goes, --fix says so', async () => {
  using project = await openProject(SAID, 'cassettes({ redact: { customer: /C/ } })')
  const { code, problems } = await project.run('doctor', '--fix')
  expect(code).toBe(1)
  expect(problems).toContain('--fix')
})

test.each([
  ['cassettes()', 'cassettes({ redact: [/a/] })'],
  ["cassettes({ dir: 'x' })", "cassettes({ redact: [/a/], dir: 'x' })"],
  ['cassettes({ redact: [/b/] })', 'cassettes({ redact: [/a/, /b/] })'],
  ['cassettes({ redact: [/a/] })', 'cassettes({ redact: [/a/] })'],
  ['cassettes({ redact })', undefined],
  ['cassettes(options)', undefined],
])('%s becomes %s', (config, expected) => {
  expect(addRules(config, ['/a/'])).toBe(expected)
})
