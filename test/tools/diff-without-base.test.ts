import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { expectGolden } from '../golden.ts'
import { GitProject } from './git-project.ts'
import { CliProject } from './run-cli.ts'
import { answered, PATH } from './answered.ts'

/** The cassettes that `diff --json` names. */
async function changedIn(project: CliProject, ...words: string[]): Promise<string[]> {
  const { out } = await project.run('diff', ...words, '--json')
  const { cassettes } = JSON.parse(out) as { cassettes: Array<{ name: string }> }
  return cassettes.map(({ name }) => name)
}

test('without a repository it says so, and how to begin one', async () => {
  using project = new CliProject()
  await project.save(...answered('one'))
  const { code, problems } = await project.run('diff')
  expect(code).toBe(2)
  expect(problems).toContain(project.root)
  expect(problems).toContain('git init')
  await expectGolden(problems, 'no-repository', { [project.root]: '<root>' })
})

test('without git it says so', async () => {
  using project = new CliProject()
  project.env.PATH = join(project.root, 'nothing')
  const { code, problems } = await project.run('diff')
  expect(code).toBe(2)
  await expectGolden(problems, 'no-git')
})

test('before the first commit all is new', async () => {
  using project = new GitProject()
  await project.saveAll([answered('one')])
  const { code, out } = await project.run('diff')
  expect(code).toBe(0)
  await expectGolden(out, 'no-commit')
  expect(await changedIn(project)).toEqual([`__recordings__/${PATH}`])
})

test('cassettes that git ignores are not passed over in silence', async () => {
  using project = new GitProject()
  writeFileSync(join(project.root, '.gitignore'), '__recordings__\n')
  await project.commit(answered('one'))
  const { problems } = await project.run('diff')
  expect(await changedIn(project)).toEqual([])
  await expectGolden(problems, 'ignored')
})

test('a detached HEAD is named with its commit', async () => {
  using project = new GitProject()
  await project.commit(answered('one'))
  project.git('checkout', '-q', '--detach')
  await project.saveAll([answered('two')])
  const commit = project.git('rev-parse', 'HEAD').slice(0, 7)
  const [line] = (await project.run('diff')).out.split('\n')
  expect(line).toContain(commit)
  await expectGolden(line!, 'detached', { [commit]: '<commit>' })
})

test('a folder below the root of the repository sees its own cassettes', async () => {
  using project = new GitProject()
  const { CassetteStore } = await import('../../src/cassette/store.ts')
  const inPackage = (cassette: Cassette): Promise<unknown> =>
    new CassetteStore(project.root, 'packages/a/__recordings__', 1e9).save(PATH, cassette)
  await project.commit(answered('one'))
  await inPackage(answered('one')[1])
  await project.commit()
  await inPackage(answered('two')[1])
  await project.saveAll([answered('two')])
  const { out } = await project.run('diff', 'packages/a')
  expect(out).toMatch(/^1 cassette /)
  expect(out).toContain(`  packages/a/__recordings__/${PATH}\n`)
  expect((await project.run('diff', '--dir', 'packages/a/__recordings__')).out).toBe(out)
  expect((await project.run('diff')).out).toContain('2 cassettes of 2 files  answer\n')

  using inside = new CliProject()
  Object.assign(inside.env, project.env)
  const { root } = inside
  for (const [folder, words, shown] of [
    ['packages/a', [], '__recordings__/'],
    ['packages/a/__recordings__', ['--dir', '.'], ''],
  ] as const) {
    Object.assign(inside, { root: join(project.root, folder) })
    const found = await inside.run('diff', ...words)
    expect(found.out).toMatch(/^1 cassette /)
    expect(found.out).toContain(`  ${shown}${PATH}\n`)
  }
  Object.assign(inside, { root })
})

test('on CI the branch is compared with where it began, whatever its target has by now', async () => {
  using project = new GitProject()
  await project.commit(answered('one'))
  project.git('checkout', '-q', '-b', 'branch')
  await project.commit(answered('two'))
  project.git('checkout', '-q', 'main')
  await project.commit(['b.test.ts/asks-0123456789.json', answered('three')[1]])
  project.git('update-ref', 'refs/remotes/origin/main', 'main')
  project.git('checkout', '-q', 'branch')
  Object.assign(project.env, { CI: 'true', GITHUB_BASE_REF: 'main' })
  const { out } = await project.run('diff')
  const shortOf = (...words: string[]): string => project.git(...words).slice(0, 7)
  const base = shortOf('merge-base', 'HEAD', 'origin/main')
  expect(out).toContain(`(${base})`)
  expect(out).toContain('    - one\n    + two\n')
  const sinceHead = (await project.run('diff', 'HEAD')).out
  await expectGolden(`${out}\n${sinceHead}`, 'on-ci', {
    [base]: '<merge base>',
    [shortOf('rev-parse', 'HEAD')]: '<commit>',
  })
  expect(await changedIn(project, 'HEAD')).toEqual([])
})

test('a shallow clone on CI says how to fetch the history', async () => {
  using project = new GitProject()
  await project.commit(answered('one'))
  await project.commit(answered('two'))
  project.git('checkout', '-q', '-b', 'branch')
  await project.commit(answered('three'))
  using shallow = new CliProject()
  const url = `file://${project.root}`
  execFileSync('git', ['clone', '-q', '--depth', '1', '--branch', 'branch', url, shallow.root])
  Object.assign(shallow.env, { PATH: process.env.PATH, CI: 'true', GITHUB_BASE_REF: 'main' })
  const { code, problems } = await shallow.run('diff')
  expect(code).toBe(2)
  expect(problems).toContain('origin/main')
  expect(problems).toContain('fetch-depth: 0')
  await expectGolden(problems, 'shallow')
})
