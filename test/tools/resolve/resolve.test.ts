import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { TestModule } from 'vitest/node'
import { nameConflicts } from '../../../src/runners/vitest/reporters/name-conflicts.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const cassettes = join(import.meta.dirname, '../../../__recordings__')
const PATH = 'a.test.ts/asks-0123456789.json'

/** A real cassette, and another recording of the same test. */
function recordings(): [string, string] {
  const texts = readdirSync(cassettes, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && !path.includes('blobs'))
    .sort()
    .map((path) => readFileSync(join(cassettes, path), 'utf8'))
    .filter((text) => text.includes('"file_hash"') || text.includes('"hashes"'))
  return [texts[0]!, texts[1]!]
}

const [ours, theirs] = recordings()

function project(text: string): CliProject & { read(): string } {
  const made = new CliProject()
  const file = join(made.root, '__recordings__', PATH)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return Object.assign(made, { read: () => readFileSync(file, 'utf8') })
}

const marked = `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> branch\n`
const withBase = `<<<<<<< HEAD\n${ours}||||||| base\n{}\n=======\n${theirs}>>>>>>> branch\n`

test.each([
  ['--ours', marked, ours],
  ['--theirs', marked, theirs],
  ['--ours', withBase, ours],
  ['--theirs', withBase, theirs],
])('%s takes that side whole, byte by byte', async (side, text, expected) => {
  using cli = project(text)
  expect(await cli.run('resolve', side)).toMatchObject({ code: 0 })
  expect(cli.read()).toBe(expected)
})

test('without a side it changes nothing, and says what there is to do', async () => {
  using cli = project(marked)
  const { code, problems } = await cli.run('resolve')
  expect(code).toBe(2)
  expect(problems).toContain(`\n  __recordings__/${PATH}`)
  expect(problems).toContain('npx vitest-cassette record --changed')
  await expectGolden(problems, 'no-side')
  expect(cli.read()).toBe(marked)
})

test('what git has mixed already is no side: it stays, and is to be recorded again', async () => {
  const lines = ours.split('\n')
  const at = lines.findIndex((line) => line.includes('"text"'))
  const edited = lines.with(at, lines[at]!.replace(/"text": "[^"]*"/, '"text": "Mixed."'))
  const begin = [...edited.slice(0, 3), '<<<<<<< HEAD', edited[3]!, '=======', edited[3]!]
  const mixture = [...begin, '>>>>>>> branch', ...edited.slice(4)].join('\n')
  using cli = project(mixture)
  const { code, out } = await cli.run('resolve', '--ours')
  expect([code, out]).toEqual([1, expect.stringContaining('ours')])
  await expectGolden(out, 'mixed')
  expect(cli.read()).toBe(mixture)
})

/** What is said of a test that failed with the cassette, in a run that was started in a folder. */
function failureIn(folder: string): string {
  const errors = [{ name: 'CassetteError', message: 'The prompt changed', diff: '  closest' }]
  const test = {
    fullName: 'asks',
    result: () => ({ state: 'failed', errors }),
    meta: () => ({ cassette: { cassette: `__recordings__/${PATH}` } }),
  }
  const module = { moduleId: join(folder, 'a.test.ts'), relativeModuleId: 'a.test.ts' }
  const children = { allTests: () => [test] }
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  try {
    nameConflicts([
      { ...module, children, errors: () => [], meta: () => ({}) } as unknown as TestModule,
    ])
  } finally {
    cwd.mockRestore()
  }
  return errors[0]!.diff
}

test('a conflict that git keeps is taken from its index, where markers lie in no file', async () => {
  using cli = project('{}')
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
      cwd: cli.root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const file = join(cli.root, '__recordings__', PATH)
  writeFileSync(join(cli.root, '.gitattributes'), '*.json -merge\n')
  git('init', '-q', '-b', 'main')
  const commit = (text: string): void => {
    writeFileSync(file, text)
    git('add', '-A')
    git('commit', '-qm', 'a')
  }
  commit('{}')
  git('checkout', '-qb', 'other')
  commit(theirs)
  git('checkout', '-q', 'main')
  commit(ours)
  expect(() => git('merge', 'other')).toThrow()
  await expectGolden((await cli.run('diff')).problems, 'in-merge')
  const { findings } = JSON.parse((await cli.run('verify', '--json')).out)
  const isConflict = expect.objectContaining({ check: 'conflict', severity: 'error' })
  expect(findings).toContainEqual(isConflict)
  await expectGolden(failureIn(cli.root), 'failure-in-merge')
  expect(await cli.run('resolve', '--theirs')).toMatchObject({ code: 0 })
  expect(cli.read()).toBe(theirs)
  expect(git('ls-files', '-u')).toBe('')
  expect((await cli.run('diff')).problems).not.toContain(' resolve')
  expect((await cli.run('verify', '--json')).out).not.toContain('"conflict"')
  expect(failureIn(cli.root)).toBe('  closest')
})

test('where nothing is in conflict, nothing is done', async () => {
  using cli = project(ours)
  const { code, out } = await cli.run('resolve', '--ours')
  expect(code).toBe(0)
  await expectGolden(out, 'nothing')
  expect(cli.read()).toBe(ours)
})
