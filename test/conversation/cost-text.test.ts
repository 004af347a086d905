import { expect, test } from 'vitest'
import {
  adviseOnUnknown,
  explainUnknown,
  PriceTable,
  sumUsage,
  usageOf,
} from '../../src/conversation/cost.ts'
import { readSteps } from '../../src/conversation/step.ts'
import type { JsonObject } from '../../src/json/json-value.ts'
import { question, recorded } from '../engine/example-session.ts'
import { expectGolden } from '../golden.ts'

test('models without a price are named, however many and long their names in a cassette are', async () => {
  const named = (unknownModels: string[]): string =>
    explainUnknown({ ...sumUsage([]), unpriced: 2, unknownModels }).join()
  expect(named(['a', 'b\u001b[2J'])).toMatch(/ 2 .*: a, b<U\+001B>\[2J\.$/)
  await expectGolden(named(['a', 'b\u001b[2J']), 'no-price')
  const many = Array.from({ length: 1_000 }, (_, index) => `${index}${'x'.repeat(10_000)}`)
  expect(named(many).length).toBeLessThan(2_000)
  expect(named(many)).toMatch(/0x+…, 1x+…, .* 980 \w+\.$/)
})

test('the option that counts tokens is named where a request that streamed lacks it, and nowhere else', async () => {
  const advice = (asked: JsonObject): string => {
    const steps = readSteps(recorded([question('Hi', { model: 'gpt-5', ...asked }), 'Ho']))
    return adviseOnUnknown(sumUsage(steps.map((step) => usageOf(step, new PriceTable())))).join(
      '\n',
    )
  }
  const [unknown, named, ...more] = advice({ stream: true }).split('\n')
  expect(named).toMatch(/^1 .* stream_options: \{ include_usage: true \}/)
  expect(more).toEqual([])
  await expectGolden(`${unknown}\n${named}`, 'stream')
  expect(advice({ stream: true, stream_options: { include_usage: false } })).toContain(
    'include_usage',
  )
  for (const asked of [
    { stream: true, stream_options: { include_usage: true } },
    {},
  ] as JsonObject[])
    expect(advice(asked)).toBe(unknown)
})
