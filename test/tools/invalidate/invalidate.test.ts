import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CassetteStore } from '../../../src/cassette/store.ts'
import { exampleCassette } from '../../cassette/example-cassette.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const REFUND = 'refund.test.ts/asks-0123456789.json'
const ORDER = 'order.test.ts/greets-abcdef0123.json'

async function openProject(): Promise<CliProject> {
  const project = new CliProject()
  await project.save(REFUND, { ...exampleCassette({}), conversationId: 'refund.test.ts > asks' })
  await project.save(ORDER, { ...exampleCassette({}), conversationId: 'order.test.ts > greets' })
  return project
}

function reasonIn(project: CliProject, path: string): string | undefined {
  return new CassetteStore(project.root, '__recordings__', 1e9).load(path)!.invalid?.reason
}

test('invalidate marks what a pattern names, with a reason, and --undo takes it back', async () => {
  using project = await openProject()
  const before = readFileSync(join(project.root, '__recordings__', REFUND), 'utf8')
  const { code, out } = await project.run('invalidate', 'refund', '--reason', 'the tool is gone')
  expect(code).toBe(0)
  expect(out).toContain('npx vitest-cassette record --new\n')
  expect(reasonIn(project, REFUND)).toBe('the tool is gone')
  expect(reasonIn(project, ORDER)).toBeUndefined()
  const again = await project.run('invalidate', 'refund', '--reason', 'the tool is gone')
  expect(again.out).toMatch(/^0 cassettes /)

  const undone = await project.run('invalidate', '--undo', `__recordings__/${REFUND}`)
  await expectGolden([out, again.out, undone.out].join('\n'), 'marked')
  expect(readFileSync(join(project.root, '__recordings__', REFUND), 'utf8')).toBe(before)
})

const REFUSED: Array<[words: string[], names: string]> = [
  [['refund'], '--reason'],
  [['refund', '--reason', ' '], '--reason'],
  [['--reason', 'old'], 'invalidate'],
  [['refund', '--undo', '--reason', 'old'], '--undo'],
  [['nothing-like-it', '--reason', 'old'], "'nothing-like-it'"],
]

test.for(REFUSED)('invalidate %j is no command line', async ([words, names]) => {
  using project = await openProject()
  const { code, problems } = await project.run('invalidate', ...words)
  expect(code).toBe(2)
  expect(problems).toContain(names)
  expect([REFUND, ORDER].map((path) => reasonIn(project, path))).toEqual([undefined, undefined])
})

test('a refusal of invalidate says what is missing or wrong', async () => {
  using project = await openProject()
  const texts: string[] = []
  for (const [words] of REFUSED)
    texts.push(`${words.join(' ')}\n${(await project.run('invalidate', ...words)).problems}`)
  await expectGolden(texts.join('\n'), 'refused')
})

test('a reason cannot command a terminal', async () => {
  using project = await openProject()
  await project.run('invalidate', 'refund', '--reason', 'red \u001b[31m\u202e ink')
  const { out } = await project.run('verify')
  expect(out).toContain('validity')
  for (const character of ['\u001b', '\u202e']) expect(out).not.toContain(character)
})

test.for<[words: string[], problem: RegExp]>([
  [['--max-age', 'soon'], /\bverify [^]*\n {2}maxAge: /],
  [['--max-failures', '-1'], /maxFailures: |ambiguous/],
  [['--fail-on', 'perhaps'], /^--fail-on .* invalid, kept/],
])('verify %j is no command line', async ([words, problem]) => {
  using project = await openProject()
  const { code, problems } = await project.run('verify', ...words)
  expect(code).toBe(2)
  expect(problems).toMatch(problem)
})

test('a value that verify does not understand is named with what it may be', async () => {
  using project = await openProject()
  await expectGolden((await project.run('verify', '--max-age', 'soon')).problems, 'max-age')
})
