import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectGolden } from '../../golden.ts'
import { differencesIn, kindsIn, PROMPTS, RehearsalProject } from './rehearsal-project.ts'

let project: RehearsalProject

beforeEach(async () => {
  project = await RehearsalProject.open()
})

afterEach(() => project.close())

const spelled = (differences: Record<string, string[]>): string =>
  Object.entries(differences)
    .map(([exchange, says]) => `${exchange}: ${says.join('; ')}`)
    .join('\n')

test('what drifted in known ways is found, and nothing else', async () => {
  const file = await project.record('asks', PROMPTS)
  const before = readFileSync(file, 'utf8')
  project.provider.drift = {
    weather: () => ({ calls: [['forecast', { city: 'Rome' }]] }),
    both: () => ({
      calls: [
        ['weather', { city: 'Bern' }],
        ['weather', { city: 'Rome' }],
      ],
    }),
    order: () => ({ content: '{"id":8,"items":[{"sku":"b","count":2}]}' }),
    joke: () => ({ refusal: 'That is not funny.' }),
    story: () => ({ content: 'Once, long ago.' }),
  }
  const report = await project.rehearse()
  expect(report.code).toBe(1)
  expect(kindsIn(report)).toEqual({
    'exchange-1': ['tool', 'tool'],
    'exchange-2': ['argument'],
    'exchange-3': ['shape'],
    'exchange-6': ['refusal'],
  })
  await expectGolden(spelled(differencesIn(report)), 'differences')
  expect(report.total.verdicts).toEqual({ same: 2, words: 1, other: 4, fails: 0, 'not asked': 0 })
  expect(project.provider.seen).toHaveLength(7)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a provider that answers as it did passes, whatever its ids', async () => {
  await project.record('asks', PROMPTS)
  const { code, out, problems } = await project.run('rehearse')
  expect(problems).toMatch(/ 7 calls, 7,700 tokens, \$0\.0158\.\n$/)
  expect(out).toMatch(/ 7 calls, 7,700 tokens, \$0\.0158\.$/m)
  // The table before has the time that the calls took.
  await expectGolden(problems + out.split('\n\n').at(-1)!, 'passes')
  expect(code).toBe(0)
})

test('a schema in the request is checked', async () => {
  const schema = {
    type: 'object',
    properties: { mood: { enum: ['good', 'bad'] }, why: { type: 'string' } },
    required: ['mood', 'why'],
  }
  await project.record('asks', ['mood'], {
    response_format: { type: 'json_schema', json_schema: { schema } },
  })
  project.provider.drift = { mood: () => ({ content: '{"mood":"fine","why":"They thank us."}' }) }
  const report = await project.rehearse()
  expect(kindsIn(report)).toEqual({ 'exchange-1': ['schema'] })
  // What follows is said by the library that checks schemas.
  const says = spelled(differencesIn(report)).replace(/(\/mood: ).*/, '$1…')
  await expectGolden(says, 'schema')
})

test('one sample of five that behaves otherwise is found, and said how stable the answer is', async () => {
  await project.record('asks', ['weather', 'hello'])
  const other = { calls: [['weather', { city: 'Oslo', unit: 'C' }]] } as never
  project.provider.drift = { weather: (before) => (before === 3 ? other : undefined) }
  const report = await project.rehearse('--samples', '5')
  expect(report.judged).toMatchObject([
    { verdict: 'other', samples: 5, agreed: 4 },
    { verdict: 'same', samples: 5, agreed: 5 },
  ])
  expect(report.code).toBe(1)
  expect(project.provider.seen).toHaveLength(10)
  project.provider.seen.length = 0
  const { code, out } = await project.run('rehearse', '--samples', '5', '--agree', '4')
  expect(out).toContain('exchange-1: other, 4 of 5 the same\n')
  expect(code).toBe(0)
})

test('what two tests ask alike is asked once', async () => {
  await project.record('one', ['hello', 'joke'])
  await project.record('two', ['hello'])
  const report = await project.rehearse()
  expect(report.total.verdicts).toMatchObject({ same: 3 })
  expect(project.provider.seen).toHaveLength(2)
})

test('what two tests ask alike counts once in the totals, as it is paid for once', async () => {
  await project.record('one', ['hello', 'joke'])
  await project.record('two', ['hello'])
  const { total, spent, tests } = await project.rehearse('--history', 'nights.jsonl')
  expect(total.took).toMatchObject({ exchanges: 2, cost: spent.cost })
  expect(total.was.exchanges).toBe(2)
  expect(tests.map(({ took }) => took.exchanges)).toEqual([2, 1])
  expect(JSON.parse(project.read('nights.jsonl'))).toMatchObject({ answers: 3, cost: spent.cost })
})

test('a filter rehearses only what has it in its path or its test', async () => {
  await project.record('one', ['hello'])
  await project.record('two', ['joke'])
  expect((await project.rehearse('> TWO')).total.answers).toBe(1)
  const { code, problems } = await project.run('rehearse', 'three')
  expect([code, problems]).toEqual([
    2,
    expect.stringMatching(/ three .*\n.*: vitest-cassette show\n$/),
  ])
  await expectGolden(problems, 'no-such-cassette')
})

test('another model is asked the same prompts, at its own price', async () => {
  await project.record('asks', ['hello', 'weather'])
  project.provider.drift = { weather: () => ({ content: 'It rains.' }) }
  const report = await project.rehearse('--model', 'gpt-5-nano')
  expect(project.provider.seen.map(({ body }) => body.model)).toEqual(['gpt-5-nano', 'gpt-5-nano'])
  expect(report.total).toMatchObject({ verdicts: { same: 1, other: 1 } })
  expect(report.total.took.cost).toBeCloseTo(2 * 0.00009)
  expect(report.total.was.cost).toBeCloseTo(2 * 0.00225)
})

test('--map asks another model in the place of one alone', async () => {
  await project.record('one', ['hello'])
  await project.record('two', ['joke'], { model: 'gpt-4o' })
  await project.rehearse('--model', 'gpt-4o=gpt-6')
  expect(project.provider.seen.map(({ body }) => body.model).sort()).toEqual(['gpt-5', 'gpt-6'])
})

test('a model of another provider is asked in its own wire format, and compared by what it does', async () => {
  await project.record('asks', PROMPTS, { temperature: 0, max_tokens: 50 })
  project.env.LLM_KEY = 'a-key-of-this-house-0123'
  project.provider.drift = { joke: () => ({ calls: [['joke', {}]] }) }
  const at = new URL('/v1/messages', project.provider.url)
  const words = ['--endpoint', at.href, '--key', `${at.host}=LLM_KEY`]
  const report = await project.rehearse('--model', 'claude-sonnet-4-5', ...words)
  expect(report.total.verdicts).toMatchObject({ same: 6, other: 1 })
  expect(kindsIn(report)).toEqual({ 'exchange-6': ['tool'] })
  expect(report.total.took.cost).toBeCloseTo(7 * 0.0045)
  const { path, headers, body } = project.provider.seen[0]!
  expect(path).toBe('/v1/messages')
  expect(headers).toMatchObject({
    'x-api-key': 'a-key-of-this-house-0123',
    'anthropic-version': '2023-06-01',
  })
  expect(body).toEqual({
    model: 'claude-sonnet-4-5',
    max_tokens: 50,
    temperature: 0,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'weather' }] }],
  })
})

test('a history says what is new since the last rehearsal', async () => {
  await project.record('asks', ['hello', 'weather', 'joke'])
  const history = ['--history', 'nights.jsonl']
  project.provider.drift = { joke: () => ({ refusal: 'No.' }) }
  await project.rehearse(...history)
  project.provider.drift = { weather: () => ({ content: 'It rains.' }) }
  const { conclusion } = await project.rehearse(...history)
  expect(conclusion[1]).toMatch(/ \d{4}-\d\d-\d\d: .* exchange-2\. .* exchange-3\.$/)
  await expectGolden(conclusion[1]!.replace(/\d{4}-\d\d-\d\d/, '<day>'), 'since')
  const nights = readFileSync(join(project.root, 'nights.jsonl'), 'utf8').trim().split('\n')
  expect(nights).toHaveLength(2)
})

test('a function of the user decides where it says something', async () => {
  await project.record('asks', ['hello', 'weather', 'joke'])
  writeFileSync(
    join(project.root, 'judge.mjs'),
    `export default ({ now, before }) => {
      if (now.text.includes('rains')) return true
      if (before.text.startsWith('Good')) return 'too formal'
    }`,
  )
  project.provider.drift = {
    weather: () => ({ content: 'It rains.' }),
    joke: () => ({ refusal: 'No.' }),
  }
  const report = await project.rehearse('--judge', 'judge.mjs')
  expect(differencesIn(report)).toEqual({
    'exchange-1': ['too formal'],
    'exchange-3': [expect.any(String)],
  })
  expect(kindsIn(report)['exchange-3']).toEqual(['refusal'])
})

test('Markdown says it side by side, and goes to the summary of the job', async () => {
  await project.record('asks', ['weather'])
  const summary = join(project.root, 'summary.md')
  Object.assign(project.env, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary })
  project.provider.drift = { weather: () => ({ content: 'It <b>rains</b>.' }) }
  const { out } = await project.run('rehearse', '--format', 'markdown')
  expect(out).toContain('| test | same | words | other |')
  expect(out).toContain('| recorded | now |')
  expect(out).toContain('It &#60;b&#62;rains')
  expect(readFileSync(summary, 'utf8')).toBe(`${out}\n`)
})
