import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('params', { MOCK_URL: upstream.url })
  recording = await project.record()
  expect(recording.exitCode, recording.output).toBe(0)
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('a cassette names its parameters, and holds their values nowhere else', async () => {
  for (const slug of ['openai', 'anthropic']) {
    const { params, ...rest } = project.json(project.cassette(slug))
    expect(params).toEqual({ orderId: 4711, customer: 'Ada Lovelace' })
    const text = JSON.stringify(rest)
    expect(text).not.toMatch(/4711|Lovelace/)
    expect(text).toContain('order_{{orderId}}.pdf of {{customer}}?')
    expect(text).toContain('{{orderId:number}}')
  }
  expect(await project.findings()).toEqual([])
})

test('a parameter that stands nowhere is a warning while recording', () => {
  expect(recording.output).toContain('contains customer ("Ada Lovelace"), declared with')
  expect(project.read(project.cassette('word'))).not.toContain('customer')
})

test.for([
  ['4711', 'Ada Lovelace'],
  ['58223', 'Bo Li'],
  ['990011', 'Grace Hopper, née Murray (US)'],
  ['2000', 'Lovelace'],
])('one recording serves every value: %s, %s', async ([ORDER, CUSTOMER]) => {
  const run = await project.run([], { ORDER, CUSTOMER })
  expect(run.exitCode, run.output).toBe(0)
})

test('a changed word and a missing declaration fail the test, and say what is to be done', async () => {
  const env = { ORDER: '5822', WORD: 'kind', UNDECLARED: '1' }
  const run = await project.run(['-t', 'word|undeclared'], env)
  expect(run.output).toMatch(/Tests {2}2 failed/)
  expect(run.output).toContain('[-brief-]')
  expect(run.output).toContain('{+kind+}')
  expect(run.output).toContain(
    'The cassette was recorded with orderId, customer as parameters, which this test does not declare',
  )
  expect(run.output).toContain('cassette.params({ orderId: 4711, customer: "Ada Lovelace" })')
})
