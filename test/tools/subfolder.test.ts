import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import pc from 'picocolors'
import { COMMANDS } from '../../src/tools/commands.ts'
import { inProject } from '../../src/tools/sources/project-folder.ts'
import type { Terminal } from '../../src/tools/terminal/command.ts'
import { answered, PATH } from './answered.ts'
import { expectGolden } from '../golden.ts'
import { GitProject } from './git-project.ts'

const FILE = `__recordings__/${PATH}`

/** A project with one cassette that changed since its commit, whose user stands in a folder of it. */
async function openIn(folder: string): Promise<GitProject> {
  const project = new GitProject()
  writeFileSync(join(project.root, 'package.json'), '{ "name": "app" }')
  writeFileSync(join(project.root, 'a.test.ts'), '')
  await project.commit(answered('old'))
  await project.saveAll([answered('new')])
  mkdirSync(join(project.root, folder), { recursive: true })
  project.folder = folder
  return project
}

/** How a command says in which folder it works. */
const FROM_ROOT = /^In \.\.\/\.\., /m

test.for<[words: string[], code: number, says: string]>([
  [['diff'], 0, '1 cassette '],
  [['diff', '--json'], 0, '"kept": 0'],
  [['review', '--json'], 1, FILE],
  [['show'], 0, PATH],
  [['show', 'asks'], 0, 'new'],
  [['show', '--stats'], 0, 'asks'],
  [['verify'], 0, '1 cassette, '],
  [['recover'], 0, ''],
  [['resolve'], 0, ''],
  [['params', PATH], 0, ''],
  [['invalidate', PATH, '--reason', 'old'], 0, 'old'],
  [['show', '--html', 'page'], 0, 'src/deep/page'],
  [['init', '--yes'], 0, ' .gitattributes'],
])('from a folder of the project: %s', async ([words, code, says]) => {
  using project = await openIn('src/deep')
  const found = await project.run(...words)
  expect(found.out + found.problems).toContain(says)
  expect(found.problems).toMatch(FROM_ROOT)
  expect(found.code).toBe(code)
})

test('a command that works in another folder says which', async () => {
  using project = await openIn('src/deep')
  await expectGolden((await project.run('show')).problems, 'in-project')
})

test('paths that are typed begin where the user stands', async () => {
  using project = await openIn('src/deep')
  expect((await project.run('diff', `../../${FILE}`)).out).toMatch(/^1 cassette /)
  expect((await project.run('show', '--dir', '../../__recordings__')).out).toContain(PATH)
  expect((await project.run('verify', '../../__recordings__')).code).toBe(0)
})

/** The options that take a path, of all commands that work in the project. */
const PATH_OPTIONS = COMMANDS.filter(({ isHere }) => !isHere).flatMap((command) =>
  Object.entries(command.options)
    .filter(([name, { path }]) => path !== undefined && name !== 'dir' && name !== 'store')
    .map(([name]) => [command, name] as const),
)

test.each(PATH_OPTIONS.map(([{ name }, option]) => [name, option]))(
  'a path given to %s --%s begins where the user stands',
  async (name, option) => {
    using project = await openIn('src/deep')
    const command = COMMANDS.find((one) => one.name === name)!
    const { values } = inProject(command, {
      words: [],
      values: { [option!]: './one.json' },
      terminal: { ...terminalIn(join(project.root, 'src/deep')) },
    })
    if (option !== 'textconv') expect(values[option!]).toBe('src/deep/one.json')
    else expect(values[option]).toBe('./one.json')
  },
)

test.each([
  [['../../new.json'], ['new.json']],
  [['./new.json'], ['src/deep/new.json']],
  [['--config=v.ts'], ['--config=src/deep/v.ts']],
  [
    ['-c', 'v.ts', '--outputFile', 'out.xml', '--outputFile.json=o.json'],
    [
      '-c',
      'src/deep/v.ts',
      '--outputFile',
      'src/deep/out.xml',
      '--outputFile.json=src/deep/o.json',
    ],
  ],
  [
    ['-t', './a'],
    ['-t', './a'],
  ],
  [['part-of-a-name'], ['part-of-a-name']],
])('the words %j begin where the user stands', async (typed, words) => {
  using project = await openIn('src/deep')
  const terminal = terminalIn(join(project.root, 'src/deep'))
  const command = COMMANDS.find(({ name }) => name === 'record')!
  expect(inProject(command, { words: typed, values: {}, terminal }).words).toEqual(words)
})

function terminalIn(cwd: string): Terminal {
  return { cwd, warn: () => {}, colors: pc.createColors(false) } as unknown as Terminal
}

test('a folder that nobody named lies in the project', async () => {
  using project = await openIn('src/deep')
  expect((await project.run('show', '--html')).out).toMatch(/^cassette-report\/index\.html /)
})

test('a run that was started in a folder of the project, and left its cache there, makes it no project', async () => {
  using project = await openIn('src')
  mkdirSync(join(project.root, 'src/node_modules/.cache/vitest-cassette'), { recursive: true })
  expect((await project.run('show')).out).toContain(PATH)
})

test('the folder of recordings is in its project', async () => {
  using project = await openIn('__recordings__')
  expect((await project.run('show')).out).toContain(PATH)
})

test('a package without recordings is a project of its own: it says where the nearest recordings are', async () => {
  using project = await openIn('packages/b/src')
  writeFileSync(join(project.root, 'packages/b/package.json'), '{ "name": "b" }')
  for (const command of ['diff', 'show', 'verify', 'recover', 'resolve', 'rehearse']) {
    const { code, out, problems } = await project.run(command)
    expect([command, code, out]).toEqual([command, 2, ''])
    expect(problems).toMatch(
      /__recordings__[^]* \.\.\/\.\.\/__recordings__.* cd \.\.\/\.\..* --dir/,
    )
  }
  await expectGolden((await project.run('show')).problems, 'nearest')
})

test('nothing above the repository is a project', async () => {
  using project = await openIn('src/nested')
  project.git('init', '-q', 'src/nested')
  const { code, problems } = await project.run('show')
  expect(code).toBe(2)
  expect(problems).toMatch(/--dir.*: npx vitest-cassette record\n$/)
  expect(problems).not.toContain('..')
  await expectGolden(problems, 'none')
})

test('without any cassette, diff says so', async () => {
  using project = await openIn('')
  rmSync(join(project.root, '__recordings__'), { recursive: true })
  project.git('commit', '-aqm', 'gone')
  const { code, out, problems } = await project.run('diff')
  expect(code).toBe(0)
  await expectGolden(out + problems, 'diff-of-none')
  expect(JSON.parse((await project.run('diff', '--json')).out)).toMatchObject({ cassettes: [] })
})
