// The provider of the rows that record: answers like the workload of single calls.
import { singleCall, type ChatRequest } from './exchanges.ts'
import { serve } from './serve.ts'

serve((asked) => {
  const { messages } = asked as unknown as ChatRequest
  const [, index = '0'] = /Question (\d+)/.exec(String(messages.at(-1)!.content)) ?? []
  return { type: 'application/json', text: singleCall(Number(index), 0).answer }
})
