import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/providers/dialects.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { questionOf } from '../../src/conversation/step.ts'
import { testIf } from '../needs.ts'
import { requestsOf } from '../providers/sample-requests.ts'
import { samples } from '../providers/samples/index.ts'
import { openExample } from './example-session.ts'
import { askWritten, judged, writtenFile } from './written-file.ts'
import { promptFor } from '../../src/engine/read-prompt.ts'

// What is said on a socket, and by a tool, has no exchange that a person wrote, and what opens one asks nothing.
const UNWRITTEN = ['mcp', 'openai-realtime-session']

const written = samples.filter(
  ({ dialect, method }) =>
    method !== 'SEND' &&
    !UNWRITTEN.includes(dialect) &&
    dialects.find(({ name }) => name === dialect)!.writeCompletion,
)

describe.each(written)('$dialect of $url', (sample) => {
  describe.each(requestsOf(sample))('%s', (_, request) => {
    const incoming = readIncoming(request)
    const { operation } = promptFor(incoming)
    const prompt = { text: questionOf(promptFor(incoming))!, metadata: { operation } }

    test('a text that a person wrote reads as they wrote it', () => {
      const { text } = sample.completion
      const session = openExample(writtenFile({ prompt, response: { text } }))
      const completion = askWritten(session, incoming)!
      expect(completion).toMatchObject({ text, toolCalls: [] })
      expect(completion.incomplete).toBeUndefined()
      expect(completion.error).toBeUndefined()
      expect(judged(session)).toEqual({})
    })

    test('an error that a person wrote is one, with its status', () => {
      const response = { error: 'Too fast.', status: 429 }
      const session = openExample(writtenFile({ prompt, response }))
      const answer = session.answer(incoming, { order: 1 })
      expect(answer).toMatchObject({ action: 'replay', response: { status: 429 } })
      expect(askWritten(openExample(writtenFile({ prompt, response })), incoming)!.error).toBe(
        'Too fast.',
      )
    })

    testIf(sample.completion.toolCalls.length > 0)('calls keep their ids in every run', () => {
      const calls = [
        { tool_name: 'weather', parameters: { city: 'Ulm', days: [1, 2] } },
        { tool_name: 'now', parameters: {} },
      ]
      const response = { tool_calls: calls }
      const [first, second] = [1, 2].map(() =>
        askWritten(openExample(writtenFile({ prompt, response })), incoming),
      )
      expect(first!.toolCalls).toMatchObject([
        { name: 'weather', arguments: { city: 'Ulm', days: [1, 2] } },
        { name: 'now', arguments: {} },
      ])
      expect(first!.finishReasons).toHaveLength(Math.min(1, sample.completion.finishReasons.length))
      expect(second).toEqual(first)
      const ids = first!.toolCalls.flatMap(({ id }) => id ?? [])
      expect(new Set(ids).size).toBe(ids.length)
    })
  })
})
