import { expect, test } from 'vitest'
import { failureIn, VitestProject } from './vitest-project.ts'

// Its cassette is of a release that stored values of queries as digests. Nothing is there that could answer.
const project = new VitestProject('old-queries')
const recorded = project.contents()
const FILE = 'searched.test.ts'

test('a recording with digests of the values of a query replays as before, and stays as it is', async () => {
  expect(project.read(project.cassette('a-search'))).toContain(
    '?q=a4e24ecc45d7&lang=dbd3a49d0d90&page=2',
  )
  const run = await project.run()
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('1 replayed')
  expect(project.contents()).toEqual(recorded)
})

test.each([
  ['another value', { QUESTION: 'Which chairs?' }, '?q=Which+chairs%3F&lang=en&page=2'],
  ['another value of another parameter', { LANGUAGE: 'de' }, '&lang=de&page=2'],
  ['the digest in the place of the value', { LANGUAGE: 'dbd3a49d0d90' }, '&page=2'],
])('%s misses', async (_, env, asked) => {
  const run = await project.run([], env)
  expect(run.exitCode, run.output).toBe(1)
  expect(failureIn(run, FILE)).toContain('The prompt changed')
  expect(failureIn(run, FILE)).toContain(asked)
})
