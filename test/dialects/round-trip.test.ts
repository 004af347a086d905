import { describe, expect, test } from 'vitest'
import { dialectOf, dialects } from '../../src/dialects/index.ts'
import type { Completion } from '../../src/prompt/completion.ts'
import { readBody, writeBody } from '../../src/wire/body.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import { samples } from './samples/index.ts'
import type { Sample } from './samples/sample.ts'
import { answer, requestTo, stream, streamOfFrames, streamOfLines } from './wire.ts'

const FAILED: Completion = { text: '', toolCalls: [], finishReasons: [], error: 'Too fast.' }

const written = samples.filter(({ dialect }) => dialect !== 'generic')

test('every dialect but the last writes answers', () => {
  const silent = dialects.filter((dialect) => !dialect.writeCompletion)
  expect(silent.map(({ name }) => name)).toEqual(['generic'])
})

describe.each(written)('$dialect of $url', (sample) => {
  const requests: [form: string, WireRequest][] = [['as the sample asks', requestOf(sample)]]
  const { body, unstreamed = body.stream === true ? { body: { ...body, stream: false } } : null } =
    sample
  if (unstreamed) requests.push(['at once', requestOf({ ...sample, ...unstreamed })])

  describe.each(requests)('%s', (form, request) => {
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

    test('reads back an answer that was cut, and an error', () => {
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

function requestOf({ url, headers, body }: Pick<Sample, 'url' | 'headers' | 'body'>): WireRequest {
  return { ...requestTo(url, body), ...(headers ? { headers } : {}) }
}

function answerOf({ events, lines, frames, plain }: Sample): WireResponse {
  if (!events) return answer(plain)
  const streamed = frames ? streamOfFrames : lines ? streamOfLines : stream
  return streamed(...events)
}

/** What is written goes to the application as bytes. */
function throughWire(response: WireResponse): WireResponse {
  const bytes = Buffer.concat(writeBody(response.body))
  return { ...response, body: readBody(bytes, response.headers['content-type']) }
}
