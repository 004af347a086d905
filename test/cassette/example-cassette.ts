import type { Cassette, RecordedExchange } from '../../src/cassette/cassette.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import type { Body } from '../../src/wire/body.ts'

/** An exchange whose request has a body; everything else is as plain as it can be. */
export function exampleExchange(
  number: number,
  request: JsonValue,
  response?: Body,
): RecordedExchange {
  return {
    id: `exchange-${number}`,
    prompt: {
      text: 'Hello',
      hash: '0'.repeat(22),
      metadata: { provider: 'openai', operation: 'chat' },
    },
    response: {
      text: 'Hi',
      finish_reasons: ['stop'],
      usage: { input_tokens: 3, output_tokens: 1 },
    },
    wire: {
      request: {
        method: 'POST',
        url: 'https://api.openai.com/v1/chat/completions',
        body: { kind: 'json', value: request, layout: {} },
      },
      response: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: response ?? { kind: 'json', value: { content: 'Hi' }, layout: {} },
      },
    },
  }
}

/** A cassette of which every exchange was recorded. */
export type RecordedCassette = Cassette & { exchanges: RecordedExchange[] }

export function exampleCassette(...requests: JsonValue[]): RecordedCassette {
  return {
    conversationId: 'a.test.ts > greets',
    timestamp: '2026-01-02T03:04:05.000Z',
    exchanges: requests.map((request, index) => exampleExchange(index + 1, request)),
  }
}
