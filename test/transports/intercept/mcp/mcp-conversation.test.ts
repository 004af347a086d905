import { expect, test, vi } from 'vitest'
import type { Cassette } from '../../../../src/cassette/cassette.ts'
import { assembleCassette } from '../../../../src/recording/assemble.ts'
import { McpConversation } from '../../../../src/transports/intercept/mcp/mcp-conversation.ts'
import type { McpMessage } from '../../../../src/wire/mcp-messages.ts'
import { readText } from '../../../../src/wire/body.ts'
import { attemptWith } from '../../../attempt/example-attempt.ts'
import { openExample } from '../../../engine/example-session.ts'
import { expectGolden } from '../../../golden.ts'

/** A conversation outside of every test, with what was sent to the server and what the client got. */
function open(): { conversation: McpConversation; sent: McpMessage[]; got: McpMessage[] } {
  const sent: McpMessage[] = []
  const got: McpMessage[] = []
  const conversation = new McpConversation({
    server: 'weather',
    async send(message) {
      sent.push(message)
      return undefined
    },
    redactor: () => ({ request: (wire) => wire, response: (response) => response }),
  })
  return { conversation, sent, got }
}

const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look' } }

test('what belongs to no test is sent to nobody, and fails the run', async () => {
  const { conversation, sent, got } = open()
  const failed = vi.fn()
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.once('unhandledRejection', failed)
  await conversation.receive(request, { order: 1 }, (said) => got.push(said))
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce())
  for (const listener of listeners) process.on('unhandledRejection', listener)
  expect(got).toMatchObject([{ id: 1, error: { message: expect.any(String) } }])
  await expectGolden((got[0]!.error as { message: string }).message, 'of-no-test')
  expect(sent).toEqual([])
})

test('a ping is answered without the server, and notifications go nowhere', async () => {
  const { conversation, sent, got } = open()
  const deliver = (said: McpMessage): void => void got.push(said)
  await conversation.receive({ jsonrpc: '2.0', id: 'p', method: 'ping' }, { order: 1 }, deliver)
  const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
  await conversation.receive(told, { order: 2 }, deliver)
  expect(got).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }])
  expect(sent).toEqual([])
})

test('what a recording asks by itself goes to the server, and its answers find who asked', async () => {
  const { conversation, sent, got } = open()
  const context = { order: 1, scope: 'upstream' } as const
  const deliver = (said: McpMessage): void => void got.push(said)
  const asked = [1, 2].map((id) => conversation.receive({ ...request, id }, context, deliver))
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  for (const id of [2, 1]) conversation.hear({ jsonrpc: '2.0', id, result: {} })
  await Promise.all(asked)
  expect(got.map(({ id }) => id)).toEqual([2, 1])
})

test('a request that its client gave up while it was read is waited for by nobody', async () => {
  const { conversation } = open()
  const context = { order: 1, scope: 'upstream' } as const
  const gone = AbortSignal.abort()
  expect(await conversation.receive(request, context, () => {}, gone)).toBeUndefined()
})

test.for([400, 401, 503])(
  'a server that answers %i without a message does so in replay',
  async (status) => {
    const failure = { status, headers: {}, body: readText('Who?') }
    const askIn = async (cassette?: Cassette) => {
      const session = openExample(cassette, { mode: cassette ? 'replay' : 'all' })
      const got: McpMessage[] = []
      const conversation = new McpConversation({
        server: 'weather',
        send: async () => (cassette ? undefined : failure),
        redactor: () => ({ request: (wire) => wire, response: (response) => response }),
      })
      const context = { order: 1, scope: attemptWith(session) }
      const answer = await conversation.receive(request, context, (said) => got.push(said))
      await session.waitForAnswers()
      return { answer, got, session }
    }
    const { session, ...recorded } = await askIn()
    expect(recorded).toMatchObject({ answer: { status }, got: [] })
    const replayed = await askIn(assembleCassette(session, new Date())!)
    expect(replayed).toMatchObject({ answer: { status }, got: [] })
  },
)
