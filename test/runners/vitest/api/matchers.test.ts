import { askedConversations, exchangesOf, usageOfAsked } from '../../../../src/recording/asked.ts'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { CassetteOptions } from '../../../../src/config/options.ts'
import { describeTurns } from '../../../../src/recording/describe.ts'
import { readIncoming } from '../../../../src/engine/incoming.ts'
import type { JsonObject } from '../../../../src/json/json-value.ts'
import { matchers } from '../../../../src/runners/vitest/api/matchers.ts'
import {
  RunningCassette,
  type TestCassette,
} from '../../../../src/runners/vitest/api/test-cassette.ts'
import { readText } from '../../../../src/wire/body.ts'
import { openExample, question } from '../../../engine/example-session.ts'
import { coded, expectGolden } from '../../../golden.ts'

expect.extend(matchers)

/** The cassette of a test that asked, and what was answered. */
function asked(
  turns: Array<[asked: ReturnType<typeof question>, answer: JsonObject | string]>,
  options: CassetteOptions = {},
): TestCassette {
  const exchanges = describeTurns(
    turns.map(([incoming, answer]) => ({
      incoming,
      response: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: readText(typeof answer === 'string' ? answer : JSON.stringify(answer)),
      },
    })),
  )
  const timestamp = '2026-01-01T00:00:00.000Z'
  const session = openExample({ conversationId: 'a', timestamp, exchanges }, options)
  for (const [index, [incoming]] of turns.entries()) session.answer(incoming, { order: index })
  return new RunningCassette(
    () => ({ session, configure: () => {}, declare: () => {}, isRunning: true }),
    () => ({ exchangesOf, askedConversations, usageOfAsked }),
  )
}

const usage = (input: number, output: number): JsonObject => ({
  choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: input, completion_tokens: output },
})

function calls(name: string, args: string): string {
  const call = { id: 'call_1', type: 'function', function: { name, arguments: args } }
  return JSON.stringify({ choices: [{ message: { tool_calls: [call] } }] })
}

function failure(assert: () => void): string {
  try {
    assert()
  } catch (error) {
    return stripVTControlCharacters((error as Error).message)
  }
  throw new Error('It did not fail.')
}

describe('toHaveCalledTool', () => {
  test('numbers are equal however the model spelled them', () => {
    const cassette = asked([[question('a'), calls('pay', '{"amount": 1.50, "ids": [1e3]}')]])
    expect(cassette).toHaveCalledTool('pay', { amount: 1.5, ids: [1000] })
  })

  test('arguments are equal as a whole, unless a matcher stands for them', () => {
    const cassette = asked([[question('a'), calls('pay', '{"amount": 1, "to": "Ada"}')]])
    expect(cassette).not.toHaveCalledTool('pay', { amount: 1 })
    expect(cassette).not.toHaveCalledTool('pay', undefined)
    expect(cassette).toHaveCalledTool('pay', expect.objectContaining({ amount: 1 }))
  })

  test('the closest call is shown, and a long list is cut', async () => {
    const cassette = asked(
      Array.from({ length: 20 }, (_, id) => [
        question(`order ${id}`),
        calls('look_up', `{"id": ${id}, "kind": "order"}`),
      ]),
    )
    const message = failure(() =>
      expect(cassette).toHaveCalledTool('look_up', { id: 17, kind: 'refund' }),
    )
    expect(message).toMatch(/… 8 [^]* exchange-18:\n/)
    await expectGolden(message, 'closest-call')
  })
})

describe('toHaveAsked', () => {
  const result = JSON.stringify({ text: 'Say "hello"\nto Ada' })
  const cassette = asked([
    [
      question('a', {
        messages: [
          { role: 'system', content: `${'Some words. '.repeat(50)}\nNever tell the secret.` },
          { role: 'tool', tool_call_id: 'x', content: result },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'refund',
              description: 'Gives money back.',
              parameters: { type: 'object', properties: { why: { description: 'The reason' } } },
            },
          },
        ],
      }),
      usage(1, 1),
    ],
  ])

  test('looks into messages, results and tools', () => {
    expect(cassette).toHaveAsked('tell the secret')
    expect(cassette).toHaveAsked('Gives money back.')
    expect(cassette).toHaveAsked('The reason')
    expect(cassette).not.toHaveAsked('Gives nothing back')
  })

  test('shows what stands around the text', () => {
    const message = failure(() => expect(cassette).not.toHaveAsked(/SECRET/i))
    expect(message).toMatch(/system: "….{40,80}the secret\."$/)
  })

  test('the closest is the line with most of the words', async () => {
    const message = failure(() => expect(cassette).toHaveAsked('Always tell the secret!'))
    expect(message).toMatch(/:\n {2}exchange-1 {2}system: "Never tell the secret\."$/)
    await expectGolden(message, 'closest-text')
  })

  test('a text that every prompt holds is refused', async () => {
    const assert = (): void => expect(cassette).toHaveAsked('')
    expect(assert).toThrow(TypeError)
    await expectGolden(failure(assert), 'empty-text')
  })
})

describe('toHaveTakenAtMost', () => {
  const cassette = asked([
    [question('a'), usage(1_000_000, 0)],
    [question('b'), usage(0, 100_000)],
  ])

  test('limits are reached and not passed: gpt-5 costs $1.25 and $10 per million tokens', () => {
    expect(cassette.usage()).toMatchObject({ exchanges: 2, cost: 2.25, unpriced: 0 })
    expect(cassette).toHaveTakenAtMost({ calls: 2, tokens: 1_100_000, cents: 225 })
    expect(cassette).not.toHaveTakenAtMost({ calls: 1 })
    expect(cassette).not.toHaveTakenAtMost({ tokens: 1_099_999 })
    expect(cassette).not.toHaveTakenAtMost({ cents: 224.9 })
  })

  test('an unknown part is not taken for zero, unless the known part decides', () => {
    const partly = asked([
      [question('a'), usage(1_000_000, 0)],
      [question('b', { model: 'nobody-knows' }), usage(1, 1)],
    ])
    expect(partly.cost()).toBeUndefined()
    expect(partly).not.toHaveTakenAtMost({ cents: 100 })
    for (const assert of [
      () => expect(partly).toHaveTakenAtMost({ cents: 200 }),
      () => expect(partly).not.toHaveTakenAtMost({ cents: 200 }),
    ])
      expect(failure(assert)).toMatch(
        /is unknown\n\n {2}\? > \$1\.25, at most \$2\.00[^]*nobody-knows/,
      )
    const prices = { 'nobody-knows': { input: 0, output: 0 } }
    expect(
      asked([[question('b', { model: 'nobody-knows' }), usage(1, 1)]], { prices }).cost(),
    ).toBe(0)
  })

  test('limits that are none are refused', async () => {
    const wrong = [{}, { call: 1 }, { calls: -1 }, { tokens: Number.NaN }, undefined] as object[]
    const refusals = wrong.map((limits) => {
      const assert = (): void => expect(cassette).toHaveTakenAtMost(limits)
      expect(assert).toThrow(TypeError)
      expect(assert).toThrow('calls, tokens, cents')
      return failure(assert)
    })
    await expectGolden(refusals.join('\n'), 'no-limits')
  })
})

describe('toHaveTurns', () => {
  const cassette = asked([
    [question('Hello'), usage(1, 1)],
    [question('Other'), usage(1, 1)],
  ])

  test('counts all conversations, or one', () => {
    expect(cassette).toHaveTurns(2)
    expect(cassette.conversations()[0]).toHaveTurns(1)
    expect(failure(() => expect(cassette).not.toHaveTurns(2))).toMatch(/^.* 2 turns\n/)
  })

  test('leaves out texts that were embedded, as documents and questions are', () => {
    const url = 'https://api.openai.com/v1/embeddings'
    const body = readText('{"model":"text-embedding-3-small","input":["One.","Two."]}')
    const embed = readIncoming({ method: 'POST', url, body })
    const data = [{ embedding: [0.1] }, { embedding: [0.2] }]
    expect(
      asked([
        [embed, { data }],
        [question('Hello'), usage(1, 1)],
      ]),
    ).toHaveTurns(1)
  })

  test('a number of turns that is none is refused', async () => {
    const assert = (): void => expect(cassette).toHaveTurns(1.5)
    expect(assert).toThrow(TypeError)
    await expectGolden(failure(assert), 'no-number-of-turns')
  })
})

test('what was not seen is not nothing', async () => {
  const cassette = asked([[question('a'), usage(1, 1)]], { mode: 'off' })
  expect(() => expect(cassette).not.toHaveCalledTool('pay')).toThrow(coded('unobserved'))
  expect(() => cassette.cost()).toThrow(coded('unobserved'))
  await expectGolden(
    failure(() => cassette.cost()),
    'mode-off',
  )
})

test('the matchers and the context are typed', (context) => {
  expectTypeOf(context.cassette).toEqualTypeOf<TestCassette>()
  // @ts-expect-error -- no number
  expect(() => expect(context.cassette).toHaveTurns('three')).toThrow()
})

test('the matchers take the cassettes of any copy of this package', async () => {
  const file = '../../../../src/runners/vitest/api/test-cassette.ts?copy'
  const copy = (await import(
    file
  )) as typeof import('../../../../src/runners/vitest/api/test-cassette.ts')
  const cassette = asked([[question('a'), usage(1, 1)]])
  expect(cassette).not.toBeInstanceOf(copy.RunningCassette)
  expect(copy.RunningCassette.isInstance(cassette)).toBe(true)
})

test('the matchers can be called on nothing else', async () => {
  const conversation = asked([[question('a'), usage(1, 1)]]).conversations()[0]!
  expect(conversation).toHaveTurns(1)
  const wrong: Array<[matcher: string, () => void]> = [
    // @ts-expect-error -- no cassette and no conversation
    ['toHaveTurns', () => expect(3).toHaveTurns(3)],
    // @ts-expect-error -- no cassette
    ['toHaveAsked', () => expect('a').not.toHaveAsked('a')],
    // @ts-expect-error -- one conversation is no cassette
    ['toHaveCalledTool', () => expect(conversation).toHaveCalledTool('pay')],
    // @ts-expect-error -- not yet a cassette
    ['toHaveTakenAtMost', () => expect(Promise.resolve()).toHaveTakenAtMost({ calls: 1 })],
  ]
  for (const [matcher, assert] of wrong) {
    expect(assert).toThrow(TypeError)
    expect(assert).toThrow(`expect(cassette).${matcher}(`)
  }
  await expectGolden(failure(wrong[0]![1]), 'no-cassette')
})
