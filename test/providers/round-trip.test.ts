import { describe, expect, test } from 'vitest'
import { dialectOf, dialects } from '../../src/providers/dialects.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import type { WireResponse } from '../../src/wire/message.ts'
import { samples } from './samples/index.ts'
import type { Sample } from './samples/sample.ts'
import { requestsOf } from './sample-requests.ts'
import { answer, stream, streamOfFrames, streamOfLines, throughWire } from './wire.ts'

const FAILED: Completion = { text: '', toolCalls: [], finishReasons: [], error: 'Too fast.' }

/** What a tool answers, no model says; others are shown as they were sent. */
const SILENT = [
  'bedrock-agent',
  'generic',
  'hugging-face-text',
  'mcp',
  'mistral-conversations',
  'mistral-fim',
  'mistral-ocr',
  'openai-media',
  'watsonx',
]

const written = samples.filter(({ dialect }) => !SILENT.includes(dialect))

test('every dialect writes answers that models speak, but the last', () => {
  const silent = dialects.filter((dialect) => !dialect.writeCompletion)
  expect(silent.map(({ name }) => name).sort()).toEqual(SILENT)
})

describe.each(written)('$dialect of $url', (sample) => {
  describe.each(requestsOf(sample))('%s', (form, request) => {
    const dialect = dialectOf(request)
    const write = (completion: Completion): WireResponse =>
      throughWire(dialect.writeCompletion!(completion, request))

    test('is asked of the same dialect', () => {
      expect(dialect.name).toBe(sample.dialect)
    })

    test('reads back what it writes', () => {
      const read = dialect.readCompletion(answerOf(sample))
      expect(read).toEqual(sample.completion)
      const again = write(read)
      expect(again.status).toBe(200)
      expect(dialect.readCompletion(again)).toEqual(read)
    })

    test('comes in the form that was asked for', () => {
      const { body } = write(sample.completion)
      const isStream = ['events', 'lines', 'frames'].includes(body.kind)
      expect(isStream).toBe(sample.events !== undefined && form !== 'at once')
    })

    test('reads back a cut answer, and an error', () => {
      const cut = { ...sample.completion, incomplete: true }
      expect(dialect.readCompletion(write(cut))).toEqual(cut)
      const failed = write(FAILED)
      expect(failed.status).toBeGreaterThanOrEqual(400)
      expect(dialect.readCompletion(failed)).toEqual(FAILED)
    })

    test('reads back an error in the middle of an answer', () => {
      const failed = { ...sample.completion, error: 'Down.', incomplete: true }
      expect(dialect.readCompletion(write(failed))).toEqual(failed)
    })
  })
})

function answerOf({ events, lines, frames, plain }: Sample): WireResponse {
  if (!events) return answer(plain)
  const streamed = frames ? streamOfFrames : lines ? streamOfLines : stream
  return streamed(...events)
}
