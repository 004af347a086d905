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
import { GitProject } from '../git-project.ts'
import { answered, PATH } from '../answered.ts'

const FILE = `__recordings__/${PATH}`

test('two changes of 41 cassettes are two groups, the larger one first', async () => {
  using project = new GitProject()
  await project.commit(...suiteOf41())
  await project.saveAll(suiteOf41({ word: 'quick', seventh: 'is found' }))
  const { code, out, problems } = await project.run('diff')
  expect({ code, problems }).toEqual({ code: 0, problems: '' })
  expect(out).toBe(`41 cassettes of 9 files changed since HEAD: 2 different changes.

41 cassettes of 9 files  prompt · system · line 13
    - Rule 12: be kind.
    + Rule 12: be quick.
  __recordings__/suite-1.test.ts/order-1-0000000001.json
  __recordings__/suite-1.test.ts/order-2-0000000002.json
  __recordings__/suite-1.test.ts/order-3-0000000003.json
  … and 38 more cassettes

1 cassette  answer 1
    - Order 7 is lost.
    + Order 7 is found.
  __recordings__/suite-2.test.ts/order-7-0000000007.json
`)
  const json = JSON.parse((await project.run('diff', '--json')).out) as Record<string, unknown[]>
  expect(json.groups).toMatchObject([
    { changes: [{ kind: 'edited', after: { text: 'Rule 12: be quick.' } }] },
    { cassettes: ['__recordings__/suite-2.test.ts/order-7-0000000007.json'] },
  ])
  expect(json.cassettes).toHaveLength(41)
})

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
  expect(out.startsWith('No cassette changed since HEAD.')).toBe(places.length === 0)
  // The answers of another turn are paid for. What another word takes can come to the same sum.
  if (variant.word === undefined)
    expect(/^To record them took [\d,]+ tokens, .*, and now [\d,]+ tokens, .*\.$/m.test(out)).toBe(
      variant.turns === 4,
    )
})

test('prices of your own count', async () => {
  using project = new GitProject()
  const [wire] = renewingWires
  await project.commit([PATH, await recordTurns(wire!, { turns: 1 })])
  await project.save(PATH, await recordTurns(wire!, { turns: 2 }))
  const price = { 'gpt-5-mini': { input: 0, output: 1e6 } }
  writeFileSync(join(project.root, 'prices.json'), JSON.stringify(price))
  const { out } = await project.run('diff', '--prices', 'prices.json')
  expect(out).toMatch(/^To record them took .* tokens, \$40\.00, and now .* tokens, \$80\.00\.$/m)
})

test('a commit and names say what is compared; what is neither is named', async () => {
  using project = new GitProject()
  const other: [string, Cassette] = ['b.test.ts/asks-0123456789.json', answered('Ho')[1]]
  await project.commit(answered('one'), other)
  project.git('tag', 'first')
  await project.commit(answered('two'))
  expect((await project.run('diff')).out).toBe('No cassette changed since HEAD.\n')
  expect((await project.run('diff', 'first')).out).toMatch(
    /^1 cassette changed since first \([0-9a-f]{7}\): one change\.\n\n1 cassette {2}answer 1\n {4}- one\n {4}\+ two\n/,
  )
  expect((await project.run('diff', 'first', 'b.test.ts')).out).toContain('No cassette changed')
  expect((await project.run('diff', 'first', FILE)).out).toContain('+ two')
  for (const path of [join(project.root, FILE), `./__recordings__/../${FILE}`, '.'])
    expect((await project.run('diff', 'first', path)).out).toContain('+ two')
  const unknown = await project.run('diff', 'no-such-branch')
  expect(unknown.code).toBe(2)
  expect(unknown.problems).toContain(
    "'no-such-branch' is neither a commit of git nor a cassette. For a branch that is not here: git fetch origin no-such-branch",
  )
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
  expect(problems).toMatch(
    /^__recordings__\/torn.test.ts\/a-0123456789.json cannot be read: it is not JSON: .*\n$/,
  )
  expect((await project.run('diff', '--format', 'markdown')).out).toContain(
    '1 cassette cannot be read, and is not compared:\n\n- `__recordings__/torn.test.ts/a-',
  )
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
  expect(out).toMatch(
    /^1 cassette changed since `the merge base of HEAD and origin\/main \(.{7}\)`/m,
  )
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
  expect(out).toMatch(
    /\n… and \d+ more changes, for which there is no room here: `npx vitest-cassette diff`\n$/,
  )
})
