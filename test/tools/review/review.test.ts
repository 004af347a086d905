import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/cassette/store.ts'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { keepUnchanged } from '../../../src/recording/keep-unchanged.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { mediaOf } from '../../media.ts'
import { recordTurns, type Variant } from '../../recording/smallest-diff/record-turns.ts'
import { renewingWires } from '../../recording/smallest-diff/renewing-wires.ts'
import { suiteOf41 } from './suite-of-41.ts'
import { expectGolden } from '../../golden.ts'
import { GitProject } from '../git-project.ts'
import { CliProject } from '../run-cli.ts'
import { answered, PATH, withOtherAnswer } from '../answered.ts'

const FILE = `__recordings__/${PATH}`
const COPIES = /^ {2}(node_modules\/\.cache\/vitest-cassette\/rejected\/\S+)/m

function read(project: GitProject, file = FILE): string {
  return readFileSync(join(project.root, file), 'utf8')
}

/** The groups that wait for a review. */
async function waitingIn(project: GitProject): Promise<unknown[]> {
  const { out } = await project.run('review', '--json')
  return (JSON.parse(out) as { groups: unknown[] }).groups
}

test('where nobody can press a key it says so, and exits with 2', async () => {
  using project = await withOtherAnswer()
  const { code, out, problems } = await project.run('review')
  expect([code, out]).toEqual([2, ''])
  expect(problems).toContain('  npx vitest-cassette diff\n')
  await expectGolden(problems, 'no-terminal')
})

test('a branch is led to diff', async () => {
  using project = await withOtherAnswer()
  project.git('branch', 'other')
  const { code, problems } = await project.run('review', 'other', '--json')
  expect(code).toBe(2)
  expect(problems).toContain('  npx vitest-cassette diff other\n')
  await expectGolden(problems, 'branch')
})

test('--json lists what waits, needs no terminal, and judges nothing', async () => {
  using project = await withOtherAnswer()
  const before = read(project)
  const { code, out } = await project.run('review', '--json')
  expect(code).toBe(1)
  const { groups, unread } = JSON.parse(out)
  expect([groups.length, unread]).toEqual([1, []])
  expect(groups[0]).toMatchObject({
    changes: [{ place: { of: 'answer' } }],
    cassettes: [expect.stringContaining(PATH)],
  })
  expect(read(project)).toBe(before)
  project.keys = 'a'
  expect((await project.run('review')).code).toBe(0)
  const after = await project.run('review', '--json')
  expect([after.code, JSON.parse(after.out)]).toEqual([0, { groups: [], unread: [] }])
})

test('without a repository it says so', async () => {
  using project = new CliProject()
  await project.save(...answered('one'))
  project.keys = 'a'
  const { code, problems } = await project.run('review')
  expect(code).toBe(2)
  expect(problems).toContain(project.root)
  expect(problems).toContain('git init')
})

test('two groups of 41 cassettes: what is rejected goes back whole, the rest is accepted', async () => {
  using project = new GitProject()
  writeFileSync(join(project.root, '.gitignore'), 'node_modules\n')
  await project.commit(...suiteOf41())
  await project.saveAll(suiteOf41({ word: 'quick', seventh: 'is found' }))
  const seventh = '__recordings__/suite-2.test.ts/order-7-0000000007.json'
  const fresh = read(project, seventh)
  project.keys = 'ar'
  const { code, out } = await project.run('review')
  expect(code).toBe(0)
  await expectGolden(out, 'two-groups', { [COPIES.exec(out)![1]!]: '<copy>' })
  expect(project.git('status', '--short').trim().split('\n')).toHaveLength(40)
  expect(read(project, seventh)).toContain('is lost')
  const [, copy] = COPIES.exec(out)!
  expect(read(project, copy)).toBe(fresh)
  expect(statSync(join(project.root, copy!)).mode & 0o077).toBe(0)

  const again = await project.run('review')
  expect(again.code).toBe(0)
  await expectGolden(again.out, 'all-accepted')
})

test.for<[name: string, variant: Variant, groups: number]>([
  ['nothing', {}, 0],
  ['a word of the prompt', { word: 'gently' }, 1],
  ['a word of it, and of an answer', { word: 'gently', changed: 2 }, 2],
  ['a turn more', { turns: 4 }, 1],
])('recorded again with another: %s', async ([, variant, groups]) => {
  using project = new GitProject()
  const [wire] = renewingWires
  const old = await recordTurns(wire!, { turns: 3 })
  await project.commit([PATH, old])
  const fresh = await recordTurns(wire!, { turns: 3, ...variant })
  await project.save(PATH, keepUnchanged()(old, fresh))
  project.keys = 'aaa'
  const { code, out } = await project.run('review')
  expect(code).toBe(0)
  expect(out.match(/ accept$/gm) ?? []).toHaveLength(groups)
  if (groups === 0) await expectGolden(out, 'nothing')
  expect(await waitingIn(project)).toEqual([])
})

test('what is skipped or left waits for the next review, what was accepted does not', async () => {
  using project = await withOtherAnswer()
  await project.saveAll([answered('new', 'b.test.ts/asks-0123456789.json')])
  project.keys = 's'
  const first = await project.run('review')
  expect(first.code).toBe(1)
  expect(await waitingIn(project)).toHaveLength(2)
  project.keys = 'a'
  const second = await project.run('review')
  expect(second.code).toBe(1)
  expect(await waitingIn(project)).toHaveLength(1)
  const lastOf = ({ out }: { out: string }): string => out.trimEnd().split('\n').at(-1)!
  await expectGolden([first, second].map(lastOf).join('\n'), 'left')
  // Recorded once more, it is another recording.
  await project.saveAll([answered('three'), answered('newer', 'b.test.ts/asks-0123456789.json')])
  project.keys = 'ss'
  const { out } = await project.run('review')
  expect(out).toMatch(/\+ three[^]*\+ answer: newer/)
})

test('a group is judged cassette by cassette, and shown whole', async () => {
  using project = new GitProject()
  const all = (word: string) =>
    ['a', 'b', 'c', 'd', 'e'].map((name) => answered(word, `${name}.test.ts/asks-0123456789.json`))
  await project.commit(...all('one'))
  await project.saveAll(all('two'))
  project.keys = 'wxerasss'
  const { out } = await project.run('review')
  expect(out).toMatch(/^ {2}… .*\b2\b/m)
  expect(out).toContain('  __recordings__/e.test.ts/asks-0123456789.json\n')
  expect(out).toMatch(/^1 cassette .*, 1 cassette .*, 3 cassettes /m)
  expect(await waitingIn(project)).toHaveLength(1)
  expect(project.git('status', '--short')).not.toContain('a.test.ts')
})

test('new, gone and renamed cassettes go back to what git has, in the index too', async () => {
  using project = new GitProject()
  writeFileSync(join(project.root, '.gitignore'), 'node_modules\n')
  const titled = (title: string, answer: string): Cassette => ({
    ...recorded([question(title), answer]),
    conversationId: title,
  })
  const cassette = (name: string) => `${name}.test.ts/asks-0123456789.json`
  await project.commit(
    [cassette('gone'), titled('gone', 'one')],
    [cassette('old'), titled('kept', 'two')],
  )
  rmSync(join(project.root, '__recordings__'), { recursive: true })
  await project.saveAll([
    [cassette('new'), titled('kept', 'two')],
    [cassette('added'), titled('added', 'three')],
  ])
  project.git('add', '-A')
  project.keys = 'rrr'
  const { out } = await project.run('review')
  expect(project.git('status', '--short')).toBe('')
  // What was gone had nothing to copy.
  expect(out).toMatch(
    /rejected\/__recordings__\/\S+\/added\.test\.ts\/asks-0123456789\.json and 1 more/,
  )
})

test('pictures of a rejected recording go with it, and those of the last commit come back', async () => {
  using project = new GitProject()
  writeFileSync(join(project.root, '.gitignore'), 'node_modules\n')
  const asks = (kind: string): Cassette => {
    const url = `data:image/png;base64,${mediaOf(kind, 4_000).toString('base64')}`
    const content = [{ type: 'image_url', image_url: { url } }]
    return recorded([question('', { messages: [{ role: 'user', content }] }), 'Ho'])
  }
  await project.commit([PATH, asks('png')])
  rmSync(join(project.root, '__recordings__/blobs'), { recursive: true })
  await project.saveAll([[PATH, asks('jpg')]])
  project.git('add', '-A')
  project.keys = 'r'
  const { out } = await project.run('review')
  expect(project.git('status', '--short')).toBe('')
  const copies = join(project.root, COPIES.exec(out)![1]!, '../../blobs')
  expect(readdirSync(copies)).toEqual([expect.stringMatching(/\.jpg$/)])
  expect(await project.run('verify', '--json')).toMatchObject({
    out: expect.not.stringContaining('blobs/'),
  })
})

test('what changed since it was compared is left alone, and said', async () => {
  using project = await withOtherAnswer()
  const { root } = project
  const keys: string[] = ['r']
  Object.defineProperty(project, 'keys', {
    get() {
      // A run in another terminal records while somebody looks at the group.
      queueMicrotask(() => writeFileSync(join(root, FILE), '{}'))
      return keys.join('')
    },
  })
  const { code, out, problems } = await project.run('review')
  expect(code).toBe(1)
  expect(problems).toContain(FILE)
  await expectGolden(problems, 'changed-meanwhile')
  expect(out).toMatch(/\n1 cassette left .*\n$/)
  expect(read(project)).toBe('{}')
})

test('the recording of a failed test becomes the cassette, or goes where rejected ones lie', async () => {
  using project = await withOtherAnswer()
  const kept: [string, Cassette] = answered('kept')
  kept[1].timestamp = '2027-01-01T00:00:00.000Z'
  await project.commit()
  await project.park(...kept)
  project.keys = 'r'
  const rejected = await project.run('review')
  await expectGolden(rejected.out, 'failed-test', { [COPIES.exec(rejected.out)![1]!]: '<copy>' })
  expect(rejected.out).toMatch(/^ {4}- two +\+ kept$/m)
  expect(read(project, COPIES.exec(rejected.out)![1])).toContain('kept')
  expect(read(project)).toContain('two')
  expect((await project.run('recover')).code).toBe(0)

  await project.park(...kept)
  project.keys = 'a'
  expect((await project.run('review')).code).toBe(0)
  const store = new CassetteStore(project.root, '__recordings__', 1e9)
  expect(store.load(PATH)!.exchanges[0]!.response.text).toBe('kept')
  expect((await project.run('recover')).code).toBe(0)
})

test('what cannot be read is named, and the rest is judged', async () => {
  using project = await withOtherAnswer()
  await project.saveAll([answered('torn', 'b.test.ts/asks-0123456789.json')])
  writeFileSync(join(project.root, '__recordings__/b.test.ts/asks-0123456789.json'), '{')
  project.keys = 'a'
  const { code, out, problems } = await project.run('review')
  expect(code).toBe(1)
  expect(problems).toContain('__recordings__/b.test.ts/asks-0123456789.json ')
  expect(out).toContain('1 cassette accepted')
  expect(existsSync(join(project.root, '__recordings__/b.test.ts'))).toBe(true)
})
