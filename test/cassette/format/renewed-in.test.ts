import { expect, test } from 'vitest'
import { renewedIn, repeatedIn } from '../../../src/cassette/format/renewed-in.ts'
import type { RecordedExchange } from '../../../src/cassette/cassette.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { readBody } from '../../../src/wire/read-body.ts'
import { requestTo } from '../../providers/wire.ts'

const REQUEST = requestTo('https://api.openai.com/v1/responses', { model: 'gpt-5', input: 'Hi' })

function streamed(...events: JsonObject[]): RecordedExchange['wire'] {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const body = readBody(Buffer.from(text), 'text/event-stream')
  return { request: REQUEST, response: { status: 200, headers: {}, body } }
}

const ARGUMENTS = '{"note":"Nobody knows when it comes."}'

const wire = streamed(
  { type: 'response.created', response: { id: 'resp_0aB3dE9xYz', created_at: 1795710404 } },
  ...Array.from({ length: 9 }, (_, at) => ({
    type: 'response.function_call_arguments.delta',
    item_id: 'fc_RhRBUripYtW1',
    delta: `piece ${at}`,
    obfuscation: `padding-${at}`,
  })),
  {
    type: 'response.function_call_arguments.done',
    item_id: 'fc_RhRBUripYtW1',
    arguments: ARGUMENTS,
  },
  {
    type: 'response.output_item.done',
    item: { id: 'fc_RhRBUripYtW1', type: 'function_call', arguments: ARGUMENTS },
  },
)

test('ids and times are renewed, each once, and the padding of a stream is not', () => {
  expect(renewedIn(wire)).toEqual(['resp_0aB3dE9xYz', 1795710404, 'fc_RhRBUripYtW1'])
})

test('what a response says in several places is repeated, and what all its events say is not', () => {
  expect(repeatedIn(wire, [])).toEqual([ARGUMENTS])
  expect(repeatedIn(wire, [ARGUMENTS])).toEqual([])
})
