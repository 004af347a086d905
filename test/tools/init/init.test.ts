import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const PATH = 'a.test.ts/asks-0123456789.json'
const FILE = `__recordings__/${PATH}`

function git(project: CliProject, ...words: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...words],
    {
      cwd: project.root,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    },
  )
  return { status, output: stdout + stderr }
}

function answered(...answers: string[]): Cassette {
  return recorded(
    ...answers.map(
      (answer, index) =>
        [question(`Question ${index}?`), answer] as [ReturnType<typeof question>, string],
    ),
  )
}

async function commitAs(project: CliProject, branch: string, cassette: Cassette): Promise<void> {
  await project.save(PATH, cassette)
  git(project, 'checkout', '-q', '-B', branch)
  git(project, 'add', '-A')
  expect(git(project, 'commit', '-qm', branch).status).toBe(0)
}

test('init shows the lines, and writes them when it is told to', async () => {
  using project = new CliProject()
  const shown = await project.run('init')
  expect(shown.code).toBe(1)
  expect(shown.out).toMatch(
    /\.gitattributes\n( {2}\+ #.*\n)+ {2}\+ \*\*\/__recordings__\/.*\.json .* -merge\n/,
  )
  expect(shown.problems).toContain('--yes')
  await expectGolden(shown.out + shown.problems, 'shown')
  expect(existsSync(join(project.root, '.gitattributes'))).toBe(false)

  const written = await project.run('init', '--yes')
  expect(written).toMatchObject({ code: 0, problems: '' })
  await expectGolden(written.out.trimEnd().split('\n').at(-1)!, 'written')
  expect(readFileSync(join(project.root, '.gitattributes'), 'utf8')).toMatch(
    /^(?:# .*\n){3}\*\*\/__rec.*\n\*\*\/__rec.* diff=cassette\n\*\*\/__rec.* binary\n$/,
  )
})

test('init keeps what is there, and a second one has nothing to do', async () => {
  using project = new CliProject()
  const file = join(project.root, '.gitattributes')
  writeFileSync(file, '*.png binary\r\n**/__recordings__/blobs/** binary')
  await project.run('init', '--yes')
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(
    /^\*\.png binary\r\n\*\*\/__recordings__\/blobs\/\*\* binary\r\n\r\n(?:# .*\r\n){3}(\*\*\/__recordings__\/\*\*\/\*\.json .*\r\n){2}$/,
  )
  const again = await project.run('init')
  expect(again.code).toBe(0)
  await expectGolden(again.out, 'set-up-already')
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.for([
  ['without init, a merge of two recordings leaves markers in the file', false],
  ['with init, a merge of two recordings is a conflict, and the file stays whole', true],
] as const)('%s', async ([, isInit]) => {
  using project = new CliProject()
  git(project, 'init', '-q')
  if (isInit) await project.run('init', '--yes')
  await commitAs(project, 'base', answered('one', 'two', 'three', 'four'))
  await commitAs(project, 'first', answered('ONE', 'two', 'three', 'four'))
  git(project, 'checkout', '-q', 'base')
  await commitAs(project, 'second', answered('one', 'two', 'three', 'FOUR'))
  const { status, output } = git(project, 'merge', 'first')
  expect(status, output).toBe(1)
  const text = readFileSync(join(project.root, FILE), 'utf8')
  expect([text.includes('<<<<<<<'), text.includes('ONE')]).toEqual([!isInit, !isInit])
  expect(text).toContain('FOUR')
})

test.for([
  ['without init, a checkout on Windows converts line ends; no hash changes', false],
  ['with init, a checkout on Windows changes no byte', true],
] as const)('%s', async ([, isInit]) => {
  using project = new CliProject()
  git(project, 'init', '-q')
  if (isInit) await project.run('init', '--yes')
  writeFileSync(join(project.root, 'a.test.ts'), '')
  await commitAs(project, 'base', answered('one'))
  const text = readFileSync(join(project.root, FILE), 'utf8')
  git(project, 'config', 'core.autocrlf', 'true')
  git(project, 'rm', '-rq', '--cached', '__recordings__')
  execFileSync('rm', ['-r', join(project.root, '__recordings__')])
  git(project, 'reset', '-q', '--hard')
  expect(readFileSync(join(project.root, FILE), 'utf8')).toBe(
    isInit ? text : text.replaceAll('\n', '\r\n'),
  )
  const { code, out } = await project.run('verify')
  expect(code, out).toBe(0)
  expect(out.includes('CRLF')).toBe(!isInit)
})
