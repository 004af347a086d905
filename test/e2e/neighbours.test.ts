import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject } from './vitest-project.ts'

let upstream: Upstream

beforeAll(async () => {
  upstream = await startUpstream()
})

afterAll(() => upstream.stop())

function projectOf(file: string, source: string): VitestProject {
  const project = new VitestProject('summary', { UPSTREAM_URL: upstream.oddUrl })
  project.write(file, source)
  return project
}

/** What the last run of a project tells programs of its failures. */
function failuresOf(project: VitestProject): any[] {
  return project.json('node_modules/.cache/vitest-cassette/failures.json').tests
}

const rows = (words: string[], title = 'row') => `import { test } from 'vitest'
import { ask } from '../ask.ts'

test.each(${JSON.stringify(words)})('${title}', async (word) => void (await ask(word)))
`

test('rows that begin alike, one in front of others: each prompt is recorded next door, which its failure says first', async () => {
  const begin = (words: string[], title?: string) =>
    rows(words, title).replace('void (await ask(word))', "{ await ask('Hello'); await ask(word) }")
  const project = projectOf('rows.test.ts', begin(['alpha', 'beta']))
  expect((await project.record(['rows'])).exitCode).toBe(0)
  project.write('rows.test.ts', begin(['zero', 'alpha', 'beta']))
  const { output } = await project.run(['rows'])
  const [, ...failures] = output.split(/^ FAIL .*\n/m)
  const texts = failures.map((text) => text.slice(0, text.indexOf(' ❯ ')))
  await expectGolden(texts.join(''), 'rows', { [new URL(upstream.oddUrl).host]: '<host>' })
  expect(failuresOf(project).map(({ kind }: { kind: string }) => kind)).toEqual([
    'changed',
    'misplaced',
    'misplaced',
  ])
  // What the failure advises works.
  project.write('rows.test.ts', begin(['zero', 'alpha', 'beta'], 'row %s'))
  await project.run(['rows'])
  const moved = await project.cli('move --detect')
  expect(moved.output).toMatch(/row-/)
})

const cached = `import { test } from 'vitest'
import { ask } from '../ask.ts'

const known = new Map<string, unknown>()
async function memo(question: string) {
  if (!known.has(question)) known.set(question, await ask(question))
}
test('one', () => memo('How?'))
test('two', () => memo('How?'))
`

test('a cache that tests share: alone and together, the failure names the test that has the prompt', async () => {
  const project = projectOf('memo.test.ts', cached)
  expect((await project.record(['memo'])).exitCode).toBe(0)
  const steady = { [new URL(upstream.oddUrl).host]: '<host>' }
  const alone = await project.run(['memo', '-t', 'two'])
  expect(failuresOf(project)).toMatchObject([{ code: 'miss', kind: 'unrecorded' }])
  await expectGolden(failureIn(alone, 'memo.test.ts > two'), 'memo-alone', steady)
  expect((await project.record(['memo', '-t', 'two'])).exitCode).toBe(0)
  const together = await project.run(['memo'])
  expect(failuresOf(project)).toMatchObject([{ code: 'unused', unused: 1 }])
  await expectGolden(failureIn(together, 'memo.test.ts > two'), 'memo-together', steady)
  expect(together.output).not.toContain('rm __recordings__')
})

test('a gateway that moved: the failure says so, and record --prompts keeps the answers at the new address', async () => {
  const source = `import { test } from 'vitest'
import { ask } from '../ask.ts'

test('asks', async () => void (await ask('How?')))
`
  const project = projectOf('moved.test.ts', source)
  project.write('.env', `UPSTREAM_URL=${upstream.oddUrl}\n`)
  expect((await project.record(['moved'])).exitCode).toBe(0)
  const count = await upstream.count()
  const moved = { UPSTREAM_URL: 'http://127.0.0.1:9/moved' }
  const run = await project.run(['moved'], moved)
  const failure = failureIn(run, 'moved.test.ts > asks')
  expect(failure).toContain('npx vitest-cassette record --prompts moved.test.ts')
  await expectGolden(failure, 'moved', { [new URL(upstream.oddUrl).host]: '<host>' })
  const kept = await project.cli('record --prompts moved.test.ts', moved)
  expect(kept.exitCode, kept.output).toBe(0)
  const again = await project.run(['moved'], moved)
  expect(again.exitCode, again.output).toBe(0)
  expect(await upstream.count()).toBe(count)
})

test('a suite that forbids its tests to print is recorded: the run says what is to be said', async () => {
  const forbids = `import { afterEach, expect, vi } from 'vitest'

const warn = vi.spyOn(console, 'warn')
afterEach(() => expect(warn).not.toHaveBeenCalled())
`
  const project = projectOf('strict.test.ts', forbids + rows(['write to ann@acme-mail.com']))
  const run = await project.record(['strict'])
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output.match(/^\[vitest-cassette\] .*strict\.test\.ts\/row/gm)).toHaveLength(1)
})
