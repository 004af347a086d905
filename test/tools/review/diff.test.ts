import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { keepUnchanged } from '../../../src/recording/keep-unchanged.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { mediaOf } from '../../media.ts'
import { recordTurns, type Variant } from '../../recording/smallest-diff/record-turns.ts'
import { renewingWires } from '../../recording/smallest-diff/renewing-wires.ts'
import { suiteOf41 } from './suite-of-41.ts'
import { expectGolden } from '../../golden.ts'
import { GitProject } from '../git-project.ts'
import { answered, PATH } from '../answered.ts'

const FILE = `__recordings__/${PATH}`

test('two changes of 41 cassettes are two groups, the larger one first', async () => {
  using project = new GitProject()
  await project.commit(...suiteOf41())
  await project.saveAll(suiteOf41({ word: 'quick', seventh: 'is found' }))
  const { code, out, problems } = await project.run('diff')
  expect({ code, problems }).toEqual({ code: 0, problems: '' })
  await expectGolden(out, 'two-changes')
  const json = JSON.parse((await project.run('diff', '--json')).out) as Record<string, unknown[]>
  expect(json.groups).toMatchObject([
    { changes: [{ kind: 'edited', after: { text: 'Rule 12: be quick.' } }] },
    { cassettes: ['__recordings__/suite-2.test.ts/order-7-0000000007.json'] },
  ])
  expect(json.cassettes).toHaveLength(41)
})

/** The cassettes that `diff --json` names. */
async function cassettesIn(project: GitProject, ...words: string[]): Promise<unknown[]> {
  const { out } = await project.run('diff', ...words, '--json')
  return (JSON.parse(out) as { cassettes: unknown[] }).cassettes
}

test.for<[name: string, variant: Variant, places: string[]]>([
  ['nothing', {}, []],
  ['a word of the prompt', { word: 'gently' }, ['prompt 1 · system · line 13']],
  [
    'a word of it, and of an answer',
    { word: 'gently', changed: 2 },
    ['prompt 1 · system · line 13', 'answer 4 · line 1'],
  ],
  ['a turn more', { turns: 4 }, ['exchanges 7, 8 · added']],
])('recorded again with another: %s', async ([, variant, places]) => {
  using project = new GitProject()
  const [wire] = renewingWires
  const old = await recordTurns(wire!, { turns: 3 })
  await project.commit([PATH, old])
  const fresh = await recordTurns(wire!, { turns: 3, ...variant })
  await project.save(PATH, keepUnchanged()(old, fresh))
  const { out } = await project.run('diff')
  expect(Array.from(out.matchAll(/^1 cassette {2}(.*)$/gm), ([, place]) => place)).toEqual(places)
  expect((await cassettesIn(project)).length).toBe(places.length === 0 ? 0 : 1)
  // The answers of another turn are paid for. What another word takes can come to the same sum.
  if (variant.word === undefined)
    expect(/^.* [\d,]+ tokens, .* [\d,]+ tokens, .*\.$/m.test(out)).toBe(variant.turns === 4)
})

test('prices of your own count', async () => {
  using project = new GitProject()
  const [wire] = renewingWires
  await project.commit([PATH, await recordTurns(wire!, { turns: 1 })])
  await project.save(PATH, await recordTurns(wire!, { turns: 2 }))
  const price = { 'gpt-5-mini': { input: 0, output: 1e6 } }
  writeFileSync(join(project.root, 'prices.json'), JSON.stringify(price))
  const { out } = await project.run('diff', '--prices', 'prices.json')
  const took = out.split('\n').find((line) => line.includes(' $40.00, '))!
  expect(took).toContain(' $80.00.')
  await expectGolden(took, 'took')
})

test('a commit and names say what is compared; what is neither is named', async () => {
  using project = new GitProject()
  const other: [string, Cassette] = ['b.test.ts/asks-0123456789.json', answered('Ho')[1]]
  await project.commit(answered('one'), other)
  project.git('tag', 'first')
  await project.commit(answered('two'))
  await expectGolden((await project.run('diff')).out, 'nothing')
  const commit = project.git('rev-parse', 'first').slice(0, 7)
  await expectGolden((await project.run('diff', 'first')).out, 'since-a-tag', {
    [commit]: '<commit>',
  })
  expect(await cassettesIn(project, 'first')).toMatchObject([{ name: FILE }])
  expect(await cassettesIn(project, 'first', 'b.test.ts')).toEqual([])
  expect((await project.run('diff', 'first', FILE)).out).toContain('+ two')
  for (const path of [join(project.root, FILE), `./__recordings__/../${FILE}`, '.'])
    expect((await project.run('diff', 'first', path)).out).toContain('+ two')
  const unknown = await project.run('diff', 'no-such-branch')
  expect(unknown.code).toBe(2)
  expect(unknown.problems).toContain('git fetch origin no-such-branch')
  await expectGolden(unknown.problems, 'no-such-branch')
  const remote = await project.run('diff', 'origin/no-such-branch')
  expect(remote.problems).toContain('git fetch origin no-such-branch')
})

test('cassettes are new, gone and renamed, also with their folder', async () => {
  using project = new GitProject()
  await project.commit(answered('one'), ['gone.test.ts/a-0123456789.json', answered('gone')[1]])
  rmSync(join(project.root, '__recordings__'), { recursive: true })
  expect((await project.run('diff')).out).toContain('2 cassettes of 2 files  cassette · removed')
  const [, cassette] = answered('one')
  await project.save('new.test.ts/a-0123456789.json', { ...cassette, conversationId: 'new' })
  const { out } = await project.run('diff')
  expect(out).toContain(`cassette · renamed\n  ${FILE} → __recordings__/new.test.ts/a-0123456789`)
  expect(out).toContain('cassette · removed\n    - user: Hi\n    - answer: gone\n')
})

test('what cannot be read is named, and the rest is shown', async () => {
  using project = new GitProject()
  await project.commit(answered('one'), ['torn.test.ts/a-0123456789.json', answered('torn')[1]])
  writeFileSync(join(project.root, '__recordings__/torn.test.ts/a-0123456789.json'), '{')
  await project.saveAll([answered('two')])
  const { code, out, problems } = await project.run('diff')
  expect(code).toBe(1)
  expect(out).toContain('+ two')
  expect(problems).toMatch(/^__recordings__\/torn.test.ts\/a-0123456789.json .*\n$/)
  // What follows is said by Node.
  await expectGolden(problems.replace(/(JSON):.*/, '$1: …'), 'unread')
  const json = JSON.parse((await project.run('diff', '--json')).out) as { unread: unknown[] }
  expect(json.unread).toHaveLength(1)
  const markdown = (await project.run('diff', '--format', 'markdown')).out
  const parts = markdown.split('\n\n')
  const at = parts.findIndex((part) => part.includes('torn.test.ts'))
  const part = parts.slice(at - 1, at + 1).join('\n\n')
  await expectGolden(part.replace(/(JSON): [^`]*/, '$1: …'), 'unread-markdown')
})

test('a picture that only git still has is read from there', async () => {
  using project = new GitProject()
  const asks = (kind: string): Cassette => {
    const url = `data:image/png;base64,${mediaOf(kind, 4_000).toString('base64')}`
    const content = [{ type: 'image_url', image_url: { url } }]
    return recorded([question('', { messages: [{ role: 'user', content }] }), 'Ho'])
  }
  await project.commit([PATH, asks('png')])
  const [old] = readdirSync(join(project.root, '__recordings__/blobs'))
  await project.save(PATH, asks('jpg'))
  rmSync(join(project.root, '__recordings__/blobs', old!))
  const { code, out, problems } = await project.run('diff')
  expect({ code, problems }).toEqual({ code: 0, problems: '' })
  expect(out).toMatch(/prompt 1 · user.*\n {4}- image\/png, .* sha256/)
})

test('in a job of GitHub, the Markdown is in its summary as well', async () => {
  using project = new GitProject()
  await project.commit(answered('one'))
  project.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await project.saveAll([answered('two')])
  const summary = join(project.root, 'summary.md')
  Object.assign(project.env, { GITHUB_ACTIONS: 'true', GITHUB_BASE_REF: 'main' })
  Object.assign(project.env, { GITHUB_STEP_SUMMARY: summary })
  const { out } = await project.run('diff', '--format', 'markdown')
  expect(out).toMatch(/^1 cassette .* `.* origin\/main \(.{7}\)`/m)
  const commit = project.git('rev-parse', 'HEAD').slice(0, 7)
  await expectGolden(out, 'markdown', { [commit]: '<commit>' })
  expect(readFileSync(summary, 'utf8')).toBe(out)
  delete project.env.GITHUB_ACTIONS
  rmSync(summary)
  await project.run('diff')
  expect(existsSync(summary)).toBe(false)
})

test('terminal escapes, bidi and markup in what is recorded do no harm', async () => {
  using project = new GitProject()
  const evil =
    '\u001b[2J\u202e``` \n```\n````\n</details><script>alert(1)</script>\n::error::x\n@team #1 ![](https://x.test)'
  await project.commit(answered('one'))
  await project.saveAll([
    [PATH, { ...recorded([question('Hi', { [`@team\n\`<b>`]: 1 }), evil]), conversationId: evil }],
  ])
  const text = await project.run('diff')
  expect(text.out).not.toMatch(/\p{Bidi_C}|(?!\n)\p{Cc}|^\s*::error/mu)
  expect(text.out).toContain('<U+001B>[2J<U+202E>```')
  const { out } = await project.run('diff', '--format', 'markdown')
  expect(out).not.toMatch(/\p{Bidi_C}|(?!\n)\p{Cc}/u)
  // Outside of fences and code there is nothing but our own words.
  const outside = out
    .replace(/^(`{3,})diff\n[^]*?\n\1$/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/<code>[^<\n]*<\/code>/g, '')
  expect(outside).not.toMatch(/team|script|alert|x\.test|<b>(?!1 cassette)/)
  expect(out).toContain('<code>prompt 1 · ["@team\\n`&lt;b>"] · added</code>')
  expect((await project.run('diff', '--json')).out).not.toMatch(/\p{Bidi_C}|(?!\n)\p{Cc}/u)
})

test('Markdown is never longer than a comment may be, and says what is left out', async () => {
  using project = new GitProject()
  const long = (word: string): Array<[string, Cassette]> =>
    Array.from({ length: 30 }, (_, index) => [
      `a.test.ts/asks-${String(index).padStart(10, '0')}.json`,
      recorded([question(`Hi ${index}`), Array(60).fill(`${word} ${index} `.repeat(9)).join('\n')]),
    ])
  await project.commit(...long('one'))
  await project.saveAll(long('two'))
  const { out } = await project.run('diff', '--format', 'markdown')
  expect(out.length).toBeLessThan(65_536)
  expect(out).toMatch(/\n… .*\d+ .*`npx vitest-cassette diff`\n$/)
  const last = out.trimEnd().split('\n').at(-1)!
  await expectGolden(last.replace(/\d+/, '<number>'), 'no-room')
})
