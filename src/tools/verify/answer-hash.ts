import { hashAnswer } from '../../cassette/parse.ts'
import { hashesOf } from '../../cassette/decode.ts'
import { readIncoming } from '../../engine/incoming.ts'
import { dialectFor } from '../../engine/read-prompt.ts'
import { isRecorded, type RecordedExchange } from '../../cassette/cassette.ts'
import { quoteValue, RESTORE, type CassetteCheck } from './check.ts'

/** An edited answer drives the code under test, tools included, with content that no model wrote. */
export const answerHash: CassetteCheck = {
  name: 'answer-hash',
  find({ stored, cassette }) {
    return cassette.exchanges.flatMap((exchange, index) => {
      // A written answer is meant to be edited.
      if (!isRecorded(exchange)) return []
      const { answer: hash } = hashesOf(stored, stored.exchanges[index]!)
      if (hash === hashAnswer(exchange.wire.response)) return []
      const place = `/exchanges/${index}/wire/response`
      const problem =
        hash === undefined
          ? 'The answer has no hash, so an edit of it would go unnoticed.'
          : `The answer was edited after it was recorded.${describeCalls(exchange)}`
      return [{ place, problem: `${problem} ${RESTORE}` }]
    })
  },
}

/** The tool calls of an edited answer are its dangerous part. */
function describeCalls({ wire: { request, response } }: RecordedExchange): string {
  const { toolCalls } = dialectFor(readIncoming(request)).readCompletion(response)
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${quoteValue(given)})`)
  return calls.length === 0 ? '' : ` It calls ${calls.join(', ')}.`
}
