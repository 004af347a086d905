import { expect, test } from 'vitest'
import { costOf, PriceTable, sumUsage, usageOf } from '../../src/conversation/cost.ts'
import { parsePrices } from '../../src/tools/terminal/open-prices.ts'
import { readSteps } from '../../src/conversation/step.ts'
import { question, recorded } from '../engine/example-session.ts'
import { coded, expectGolden, failureOf } from '../golden.ts'

const prices = new PriceTable()

test.for<[name: string, plain: string]>([
  ['gpt-4o-2024-08-06', 'gpt-4o'],
  ['openai/gpt-5', 'gpt-5'],
  ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
  ['us.amazon.nova-pro-v1:0', 'amazon.nova-pro'],
  ['claude-sonnet-4@20250514', 'claude-sonnet-4'],
  ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['mistral-large-latest', 'mistral-large'],
])('the price of %s is that of %s', ([name, plain]) => {
  expect(prices.priceOf(name)).toBeDefined()
  expect(prices.priceOf(name)).toEqual(prices.priceOf(plain))
})

test('models that are not in the table have no price, however much they look like one', () => {
  for (const name of ['gpt-5-turbo-max', 'gpt', 'my-gpt-5', 'constructor', '__proto__'])
    expect(prices.priceOf(name)).toBeUndefined()
})

test('cached tokens have a price of their own', () => {
  const table = parsePrices(
    { m: { input: 10, output: 20, cacheRead: 1, cacheWrite: 12 } },
    'p.json',
  )
  const usage = {
    inputTokens: 1_000_000,
    cacheReadInputTokens: 500_000,
    cacheCreationInputTokens: 250_000,
    outputTokens: 100_000,
  }
  expect(costOf('m', usage, table)).toBeCloseTo(2.5 + 0.5 + 3 + 2)
})

test('what is unknown is unknown and not zero', () => {
  expect(costOf('nobody-knows', { inputTokens: 1 }, prices)).toBeUndefined()
  expect(costOf('gpt-5', undefined, prices)).toBeUndefined()
  expect(costOf(undefined, { inputTokens: 1 }, prices)).toBeUndefined()
})

test('a name that has a price of its own keeps it', () => {
  expect(prices.priceOf('openai/gpt-4o-2024-05-13')).toEqual({ input: 5, output: 15 })
  // What Bedrock runs in one region costs a tenth more.
  expect(prices.priceOf('us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toMatchObject({
    input: 3.3,
    output: 16.5,
  })
})

test('a table of the user goes before ours', () => {
  const table = parsePrices({ 'gpt-5': { input: 0, output: 1 } }, 'p.json')
  expect(costOf('gpt-5', { inputTokens: 9, outputTokens: 1_000_000 }, table)).toBe(1)
  expect(table.priceOf('gpt-5-2025-08-07')).toEqual({ input: 0, output: 1 })
  expect(table.priceOf('gpt-4o')).toBeDefined()
})

test.for([
  { m: { input: 1 } },
  { m: { input: -1, output: 1 } },
  { m: { input: 1, output: 1, x: 1 } },
  7,
])('the table %j is refused with its place', (value) => {
  const parse = (): unknown => parsePrices(value, 'p.json')
  expect(parse).toThrow(coded('invalid-prices'))
  expect(parse).toThrow(/^p\.json .* \//)
})

test('a refused table is told with what is wrong in it', async () => {
  const parse = (): unknown => parsePrices({ m: { input: -1, output: 1 } }, 'p.json')
  await expectGolden(await failureOf(parse), 'refused-table')
})

test('errors are free, and answers without a price are counted', () => {
  const cassette = recorded(
    [question('a', { model: 'gpt-5' }), 'x'],
    [question('b', { model: 'unheard-of' }), 'y'],
    [question('c', { model: 'gpt-5' }), 'z'],
  )
  const [priced, unheard, failed] = cassette.exchanges
  const usage = { prompt_tokens: 1_000, completion_tokens: 100 }
  for (const exchange of [priced!, unheard!])
    exchange.wire!.response!.body = { kind: 'json', value: { choices: [], usage }, layout: {} }
  failed!.wire!.response!.status = 500
  const total = sumUsage(readSteps(cassette).map((step) => usageOf(step, prices)))
  expect(total).toMatchObject({
    exchanges: 3,
    inputTokens: 2_000,
    outputTokens: 200,
    unpriced: 1,
    unknownModels: ['unheard-of'],
  })
  expect(total.cost).toBeCloseTo(0.00225)
})
