import { stripTypeScriptTypes } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctTraces, summaryOfTrace } from '../../../../src/tools/import/traces/summaries.ts'
import { firstTest } from '../../../../src/tools/import/traces/first-test.ts'
import { expectGolden } from '../../../golden.ts'
import '../../../properties.ts'
import { chatOf, otlpOf, traceOf, readTraces } from './spans.ts'

const cassette = '__recordings__/refund.test.ts/refunds-too-much-0123456789.json'

test('writes a test that names the cassette, the question and the end of the trace', async () => {
  const trace = traceOf(
    otlpOf([{ id: 'a', attributes: chatOf('My lamp is broken.', 'It’s refunded.') }]),
  )
  const code = firstTest(trace, { titles: ['refunds', 'refunds too much'], cassette })
  for (const part of [
    "import { describe, expect, test } from 'vitest'",
    "describe('refunds', () => {",
    cassette,
    "test('refunds too much', async () => {",
    "const question = 'My lamp is broken.'",
    "'It’s refunded.'",
  ])
    expect(code).toContain(part)
  expect(() => stripTypeScriptTypes(code)).not.toThrow()
  await expectGolden(code, 'written-test')
})

test('whatever was said, the test is code, and quotes it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({ unit: 'binary' }),
      (said, title) => {
        fc.pre(said.isWellFormed() && title.isWellFormed())
        const trace = traceOf(
          otlpOf([{ id: 'a', attributes: chatOf(said, 'Yes */ \u2028 `${x}`') }]),
        )
        const code = firstTest(trace, { titles: [title], cassette })
        expect(() => stripTypeScriptTypes(code)).not.toThrow()
        const [, quoted] = /const question = (.*)$/m.exec(code)!
        expect(new Function(`return ${quoted}`)()).toBe(said)
      },
    ),
  )
})

test('traces that repeat an earlier one are counted, and left out', () => {
  const call = (id: string, city: string) => [
    { type: 'tool_call', id, name: 'weather', arguments: { city } },
  ]
  const { traces } = readTraces(
    otlpOf([
      { id: 'a', trace: 'a1', attributes: chatOf('Hi', call('c1', 'Paris')) },
      { id: 'b', trace: 'b2', attributes: chatOf('Hi', call('c2', 'Paris')) },
      { id: 'c', trace: 'c3', attributes: chatOf('Hi', call('c3', 'Rome')) },
      { id: 'd', trace: 'd4', attributes: chatOf('Hello', call('c4', 'Paris')) },
    ]),
    'trace.json',
  )
  const distinct = distinctTraces(traces.map(summaryOfTrace))
  expect(
    distinct.map(({ trace, same }) => [trace.id.slice(-2), same.map((id) => id.slice(-2))]),
  ).toEqual([
    ['a1', ['b2']],
    ['c3', []],
    ['d4', []],
  ])
})
