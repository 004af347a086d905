import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject } from './vitest-project.ts'

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

const rows = (words: string[], title = 'row') => `import { test } from 'vitest'
import { ask } from '../ask.ts'

test.each(${JSON.stringify(words)})('${title}', async (word) => void (await ask(word)))
`

test('a row in front of others: each prompt is recorded next door, which its failure says first', async () => {
  const project = projectOf('rows.test.ts', rows(['alpha', 'beta']))
  expect((await project.record(['rows'])).exitCode).toBe(0)
  project.write('rows.test.ts', rows(['zero', 'alpha', 'beta']))
  const { output } = await project.run(['rows'])
  expect(output).toContain(
    'The prompt is recorded for another test of the same title: rows.test.ts > row\n',
  )
  expect(output).toContain(
    'The prompt is recorded for another test of the same title: rows.test.ts > row #2\n',
  )
  expect(output).toMatch(
    /This prompt is recorded for "rows\.test\.ts > row" \(__recordings__\/rows\.test\.ts\/row-\w+\.json\)\.\n/,
  )
  // Whoever keeps an answer here keeps that of another row.
  expect(output).not.toContain('--prompts')
  expect(output).toContain('If one was added, removed or moved')
  const said = JSON.parse(project.read('node_modules/.cache/vitest-cassette/failures.json'))
  expect(said.tests.map(({ kind }: { kind: string }) => kind)).toEqual([
    'changed',
    'misplaced',
    'misplaced',
  ])
  // What the failure advises works.
  project.write('rows.test.ts', rows(['zero', 'alpha', 'beta'], 'row %s'))
  await project.run(['rows'])
  const moved = await project.cli('move --detect')
  expect(moved.output).toMatch(/row-alpha/)
  const { tests } = await project.runTests(['rows'])
  expect(tests.map(({ status }) => status)).toEqual(['failed', 'passed', 'passed'])
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
  const named =
    /"memo\.test\.ts > one" has recorded this prompt \(__recordings__\/memo\.test\.ts\/one-\w+\.json\)\.\nIf the application keeps answers between tests/
  const alone = await project.run(['memo', '-t', 'two'])
  expect(alone.output).toContain('Nothing is recorded for this test')
  expect(alone.output).toMatch(named)
  expect((await project.record(['memo', '-t', 'two'])).exitCode).toBe(0)
  const together = await project.run(['memo'])
  expect(together.output).toContain('Not asked for: 1 of 1 recorded exchanges')
  expect(together.output).toMatch(named)
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
  const { output } = await project.run(['moved'], moved)
  expect(output).toContain('is asked at http://127.0.0.1:9/moved/v1/chat/completions')
  expect(output).toContain('If UPSTREAM_URL is meant to lead there now')
  expect(output).not.toContain('Vitest does not read .env')
  expect(output).toContain('npx vitest-cassette record --prompts moved.test.ts')
  const kept = await project.cli('record --prompts moved.test.ts', moved)
  expect(kept.exitCode, kept.output).toBe(0)
  const again = await project.run(['moved'], moved)
  expect(again.exitCode, again.output).toBe(0)
  expect(await upstream.count()).toBe(count)
})
