import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { GitProject } from './git-project.ts'
import { CliProject } from './run-cli.ts'
import { answered, PATH } from './answered.ts'

test('without a repository it says so, and how to begin one', async () => {
  using project = new CliProject()
  await project.save(...answered('one'))
  const { code, problems } = await project.run('diff')
  expect(code).toBe(2)
  expect(problems).toContain(
    `${project.root} is in no git repository, so there is nothing to compare`,
  )
  expect(problems).toContain('git init')
})

test('without git it says so', async () => {
  using project = new CliProject()
  project.env.PATH = join(project.root, 'nothing')
  const { code, problems } = await project.run('diff')
  expect(code).toBe(2)
  expect(problems).toContain('git is not installed, or not on the PATH.')
})

test('before the first commit all is new', async () => {
  using project = new GitProject()
  await project.saveAll([answered('one')])
  const { code, out } = await project.run('diff')
  expect([code, out.split('\n')[0]]).toEqual([
    0,
    '1 cassette changed since nothing, as there is no commit yet: one change.',
  ])
})

test('cassettes that git ignores are not passed over in silence', async () => {
  using project = new GitProject()
  writeFileSync(join(project.root, '.gitignore'), '__recordings__\n')
  await project.commit(answered('one'))
  const { out, problems } = await project.run('diff')
  expect(out).toBe('No cassette changed since HEAD.\n')
  expect(problems).toContain('git ignores __recordings__, so nothing in it is compared.')
})

test('a detached HEAD is named with its commit', async () => {
  using project = new GitProject()
  await project.commit(answered('one'))
  project.git('checkout', '-q', '--detach')
  await project.saveAll([answered('two')])
  expect((await project.run('diff')).out).toMatch(
    /^1 cassette changed since HEAD \(detached at [0-9a-f]{7}\): one change\.\n/,
  )
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
  expect(out).toContain(`1 cassette changed since HEAD: one change.`)
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
    expect(found.out).toContain('1 cassette changed since HEAD: one change.')
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
  expect(out).toMatch(
    /^1 cassette changed since the merge base of HEAD and origin\/main \(.{7}\): one/,
  )
  expect(out).toContain('    - one\n    + two\n')
  expect((await project.run('diff', 'HEAD')).out).toBe(
    `No cassette changed since HEAD (${project.git('rev-parse', 'HEAD').slice(0, 7)}).\n`,
  )
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
  expect(problems).toContain(
    'origin/main is not in this clone: it is a shallow clone, which has only the last commits.\n' +
      'Fetch the history: fetch-depth: 0 in actions/checkout',
  )
})
