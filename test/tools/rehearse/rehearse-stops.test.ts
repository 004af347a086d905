import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PriceTable } from '../../../src/conversation/cost.ts'
import { PaidAnswersFile } from '../../../src/tools/rehearse/paid-answers-file.ts'
import { keyOf, readQuestions } from '../../../src/tools/rehearse/questions.ts'
import { callsOf, newState, rehearseAll } from '../../../src/tools/rehearse/rehearsal.ts'
import { expectGolden } from '../../golden.ts'
import { PROMPTS, RehearsalProject } from './rehearsal-project.ts'

let project: RehearsalProject

beforeEach(async () => {
  project = await RehearsalProject.open()
})

afterEach(() => project.close())

test('--max-cost stops before it is passed, and the same command goes on from there', async () => {
  await project.record('asks', PROMPTS)
  // What a call may cost is more than what it costs.
  const first = await project.rehearse('--max-cost', '0.02', '--concurrency', '1')
  const paid = project.provider.seen.length
  expect(first).toMatchObject({ code: 1, stopped: expect.stringContaining('--max-cost') })
  expect(first.spent.cost).toBeLessThanOrEqual(0.02)
  expect(paid).toBeGreaterThan(2)
  expect(first.total.verdicts).toMatchObject({ same: paid, 'not asked': 7 - paid })
  const rest = await project.rehearse('--max-cost', '0.05')
  expect(rest.problems).toContain(`${paid} answers `)
  await expectGolden(`${first.stopped!}\n\n${rest.problems}`, 'max-cost')
  expect(rest).toMatchObject({ code: 0, total: { verdicts: { same: 7 } } })
  expect(rest.spent.exchanges).toBe(7 - paid)
  expect(project.provider.seen).toHaveLength(7)
  // One that has ended is asked anew.
  await project.rehearse()
  expect(project.provider.seen).toHaveLength(14)
})

test('--max-cost of a model without a price asks nothing', async () => {
  await project.record('asks', ['hello'], { model: 'house-model' })
  const { code, problems } = await project.run('rehearse', '--max-cost', '1')
  expect(code).toBe(2)
  expect(problems).toMatch(/ house-model .* --max-cost 1 /)
  await expectGolden(problems, 'no-price')
  expect(project.provider.seen).toEqual([])
})

test('a provider that lets nobody in stops it at once, and what was paid for is kept', async () => {
  await project.record('asks', PROMPTS)
  project.provider.drift = { order: () => ({ status: 401, content: 'No such key.' }) }
  const stopped = await project.rehearse('--concurrency', '1')
  expect(stopped.stopped).toMatch(/^127\.0\.0\.1:\d+ .* 401: "No such key\."$/)
  expect(project.provider.seen).toHaveLength(3)
  project.provider.drift = {}
  expect((await project.rehearse()).total.verdicts).toMatchObject({ same: 7 })
  expect(project.provider.seen).toHaveLength(8)
})

test('a provider that is busy for a moment is asked again', async () => {
  await project.record('asks', ['hello'])
  const busy = { status: 429, headers: { 'retry-after': '0' }, content: 'Later.' }
  project.provider.drift = { hello: (before) => (before === 0 ? busy : undefined) }
  expect((await project.rehearse()).total.verdicts).toMatchObject({ same: 1 })
})

test('an answer that takes too long stops it', async () => {
  await project.record('asks', ['hello'])
  project.provider.drift = { hello: () => ({ content: 'Good morning!', after: 3_000 }) }
  const { stopped, code } = await project.rehearse('--timeout', '1')
  expect(code).toBe(1)
  await expectGolden(stopped!.replace(/:\d+/, ':<port>'), 'timeout')
})

test('a request that the provider does not take any more fails alone', async () => {
  await project.record('asks', ['hello', 'joke'])
  project.provider.drift = { hello: () => ({ status: 404, content: 'The model is gone.' }) }
  const report = await project.rehearse()
  expect(report.total.verdicts).toMatchObject({ fails: 1, same: 1 })
  expect(report.others[0]!.why).toContain('404: "The model is gone."')
  expect(report.code).toBe(1)
})

test('a host that is no provider gets the key that the user names for it, and no other', async () => {
  await project.record('asks', ['hello'])
  project.env.LLM_KEY = 'a-key-of-this-house-0123'
  project.env.OPENAI_API_KEY = 'sk-not-for-this-house-0123'
  await project.rehearse()
  expect(project.provider.seen[0]!.headers.authorization).toBeUndefined()
  await project.rehearse('--key', '127.0.0.1=LLM_KEY')
  expect(project.provider.seen[1]!.headers.authorization).toBe('Bearer a-key-of-this-house-0123')
})

test('answers are kept outside of git for their owner alone, until the rehearsal has ended', async () => {
  await project.record('asks', ['hello', 'order'])
  project.env.SHOP_API_KEY = 'k-3f9d8a7c6b5e4d2f1a0b'
  project.provider.drift = {
    hello: () => ({ content: 'The key is k-3f9d8a7c6b5e4d2f1a0b.' }),
    order: () => ({ status: 403, content: 'No.' }),
  }
  const { out } = await project.run('rehearse', '--concurrency', '1')
  const file = join(project.root, 'node_modules/.cache/vitest-cassette/rehearse/answers.jsonl')
  const [line] = readFileSync(file, 'utf8').trim().split('\n')
  const { body } = JSON.parse(line!) as { body: string }
  const kept = Buffer.from(body, 'base64').toString()
  expect(kept).toContain('The key is <REDACTED:SHOP_API_KEY>.')
  expect(out).not.toContain('k-3f9d8a7c6b5e4d2f1a0b')
  expect(existsSync(file)).toBe(true)
})

test('without a key nothing is asked, and the variable is named', async () => {
  await project.record('asks', ['hello', 'joke'])
  const words = ['--model', 'claude-sonnet-4-5']
  const { code, problems } = await project.run('rehearse', ...words)
  expect(code).toBe(2)
  expect(problems).toMatch(/ANTHROPIC_API_KEY .* anthropic \(2 calls\)\n/)
  await expectGolden(problems, 'no-key')
  expect(project.provider.seen).toEqual([])
})

test('one that is interrupted waits for what is on its way, and keeps it', async () => {
  await project.record('asks', PROMPTS)
  const stop = new AbortController()
  project.provider.drift = {
    both: () => {
      stop.abort()
      return undefined
    },
  }
  const [path] = project.cassettes()
  const { questions } = readQuestions(path!.name, path!.cassette, new PriceTable())
  const calls = callsOf(
    questions.map((question) => ({ question, request: question.request })),
    1,
  )
  const state = newState(calls)
  await rehearseAll(calls, state, {
    atOnce: 1,
    prices: new PriceTable(),
    env: {},
    keys: new Map(),
    timeoutMs: 10_000,
    kept: new PaidAnswersFile(project.root),
    signal: stop.signal,
  })
  expect(state).toMatchObject({ stopped: 'it was interrupted', answered: 2 })
  expect((await project.rehearse()).total.verdicts).toMatchObject({ same: 7 })
  expect(project.provider.seen).toHaveLength(7)
})

test('what is left of a rehearsal that was long ago is asked anew', async () => {
  await project.record('asks', ['hello', 'joke'])
  project.provider.drift = { joke: () => ({ status: 401, content: 'No.' }) }
  await project.rehearse('--concurrency', '1')
  const long = new Date(Date.now() + 13 * 3_600_000)
  const [recorded] = project.cassettes()
  const { questions } = readQuestions('', recorded!.cassette, new PriceTable())
  expect(new PaidAnswersFile(project.root).find(keyOf(questions[0]!), 0)).toBeDefined()
  expect(new PaidAnswersFile(project.root, long).find(keyOf(questions[0]!), 0)).toBeUndefined()
})
