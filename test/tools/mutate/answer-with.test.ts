import { describe, expect, test } from 'vitest'
import { isRecorded, type Exchange, type RecordedExchange } from '../../../src/cassette/cassette.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { dialectFor } from '../../../src/engine/read-prompt.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { mutantsOf, rewritten, withMutant } from '../../../src/tools/mutate/mutants.ts'
import { jsonOf } from '../../../src/wire/body.ts'
import { readBody } from '../../../src/wire/read-body.ts'
import { corpusCassettes } from '../../corpus-cassettes.ts'
import { eachCorpus } from '../../corpus.ts'

const call = {
  id: 'call_one',
  type: 'function',
  function: { name: 'look', arguments: '{"city":"Bern"}' },
}

/** A chat completion with the fields that OpenAI sends and nobody reads. */
const completion = (message: JsonObject, finishReason: string): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-5-2025-08-07',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', refusal: null, annotations: [], ...message },
      finish_reason: finishReason,
    },
  ],
  service_tier: 'default',
  system_fingerprint: 'fp_1',
})

function recorded(answer: JsonObject): RecordedExchange {
  const request = { model: 'gpt-5', messages: [{ role: 'user', content: 'Well?' }] }
  const [exchange] = describeTurns([
    {
      incoming: readIncoming({
        method: 'POST',
        url: 'https://api.openai.com/v1/chat/completions',
        body: readBody(Buffer.from(JSON.stringify(request))),
      }),
      response: {
        status: 200,
        headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' },
        body: readBody(Buffer.from(JSON.stringify(answer)), 'application/json'),
      },
    },
  ])
  return exchange as RecordedExchange
}

const cassetteOf = (exchange: RecordedExchange) => ({
  conversationId: 'answer with',
  timestamp: '2026-01-01T00:00:00.000Z',
  exchanges: [exchange],
})

/** The body that the application gets for a mutant. */
function bodyWith(exchange: RecordedExchange, what: RegExp): JsonValue | undefined {
  const mutant = mutantsOf(cassetteOf(exchange)).find((one) => what.test(one.what))!
  const [changed] = withMutant(cassetteOf(exchange), mutant).exchanges
  return jsonOf(changed!.wire!.response!.body)
}

describe('a changed answer has all that was recorded but the change', () => {
  const called = completion({ content: null, tool_calls: [call] }, 'tool_calls')

  test('an argument', () => {
    const changed = { ...call, function: { name: 'look', arguments: '{"city":"Bern else"}' } }
    expect(bodyWith(recorded(called), /another "city"/)).toEqual(
      completion({ content: null, tool_calls: [changed] }, 'tool_calls'),
    )
  })

  test('a call that is not made', () =>
    expect(bodyWith(recorded(called), /not called/)).toEqual(completion({ content: '' }, 'stop')))

  test('a text', () =>
    expect(bodyWith(recorded(completion({ content: 'Good morning' }, 'stop')), /empty/)).toEqual(
      completion({ content: '' }, 'stop'),
    ))

  test('a field that the format writes, and the provider leaves out', () => {
    const { object: _, ...short } = completion({ content: 'Good morning' }, 'stop')
    expect(bodyWith(recorded(short), /empty/)).toEqual({
      ...short,
      choices: (completion({ content: '' }, 'stop') as { choices: JsonValue }).choices,
    })
  })
})

test('without a change, an answer in one piece is the recorded one', () => {
  const exchange = recorded(completion({ content: null, tool_calls: [call] }, 'tool_calls'))
  const [same] = rewritten(cassetteOf(exchange), () => true).exchanges
  expect(same!.wire).toEqual(exchange.wire)
})

eachCorpus((corpus) => {
  test('the answers of real providers are changed in place', () => {
    const figures = { all: 0, inPlace: 0 }
    for (const cassette of corpusCassettes(corpus))
      for (const mutant of mutantsOf(cassette)) {
        const isMutant = ({ id }: Exchange): boolean => id === mutant.exchange
        const before = cassette.exchanges.find(isMutant)!
        if (before.wire!.response!.body.kind !== 'json') continue
        const after = withMutant(cassette, mutant).exchanges.find(isMutant)!
        figures.all++
        if (!isRecorded(after)) continue
        figures.inPlace++
        const { readCompletion } = dialectFor(readIncoming(after.wire.request))
        const { text, toolCalls } = readCompletion(after.wire.response)
        expect(text, mutant.what).toBe(mutant.response.text)
        expect(
          toolCalls.map(({ name, arguments: given }) => [name, given]),
          mutant.what,
        ).toEqual(
          (mutant.response.tool_calls ?? []).map(({ tool_name: name, parameters }) => [
            name,
            parameters,
          ]),
        )
      }
    console.log(`changed in place: ${figures.inPlace} of ${figures.all}`)
    expect(figures.all).toBeGreaterThan(20)
    expect(figures.inPlace / figures.all).toBeGreaterThan(0.98)
  })
})
