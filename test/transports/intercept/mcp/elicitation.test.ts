import { expect, test } from 'vitest'
import type { Cassette } from '../../../../src/cassette/cassette.ts'
import { assembleCassette } from '../../../../src/recording/assemble.ts'
import type { Session } from '../../../../src/engine/session.ts'
import { McpConversation } from '../../../../src/transports/intercept/mcp/mcp-conversation.ts'
import type { RenderedFailure } from '../../../../src/explain/failure.ts'
import { judgeAttempt } from '../../../explain/as-reported.ts'
import type { McpMessage } from '../../../../src/wire/mcp-messages.ts'
import { openExample } from '../../../engine/example-session.ts'
import { attemptWith } from '../../../attempt/example-attempt.ts'
import { expectGolden } from '../../../golden.ts'

/** A client that books, and a server that asks for the number of seats. */
class Booking {
  readonly session: Session
  readonly results: unknown[] = []
  /** What the server got. */
  readonly sent: McpMessage[] = []
  readonly #conversation: McpConversation
  readonly #scope
  #seats = 0
  #id = 0
  #order = 0
  #call?: McpMessage

  constructor(cassette: Cassette | undefined, mode: 'all' | 'new' | 'replay') {
    this.session = openExample(cassette, { mode })
    this.#scope = attemptWith(this.session)
    expect(this.#scope.session).toBe(this.session)
    this.#conversation = new McpConversation({
      server: 'booking',
      send: async (message) => (this.#serve(message), undefined),
      redactor: () => ({ request: (wire) => wire, response: (response) => response }),
    })
  }

  async start(): Promise<this> {
    await this.#ask('initialize', { capabilities: { elicitation: {} } })
    return this
  }

  async book(show: string, seats: number): Promise<this> {
    this.#seats = seats
    await this.#ask('tools/call', { name: 'book', arguments: { show } })
    return this
  }

  /** What becomes of it. */
  async end(): Promise<Cassette | undefined> {
    await this.session.waitForAnswers()
    return assembleCassette(this.session, new Date('2026-01-02'))
  }

  #ask(method: string, params: object): Promise<unknown> {
    const message = { jsonrpc: '2.0', id: ++this.#id, method, params } as McpMessage
    const context = { order: ++this.#order, scope: this.#scope }
    return this.#conversation.receive(message, context, (said) => this.#take(said))
  }

  #take(said: McpMessage): void {
    if (said.method === undefined) return void this.results.push(said.result ?? said.error)
    const result = { action: 'accept', content: { seats: this.#seats } }
    const context = { order: ++this.#order, scope: this.#scope }
    void this.#conversation.receive({ jsonrpc: '2.0', id: said.id!, result }, context, () => {})
  }

  #serve(message: McpMessage): void {
    this.sent.push(message)
    const { id, method } = message
    if (method === 'initialize') this.#hear({ id, result: { capabilities: {} } })
    else if (method === 'tools/call') {
      this.#call = message
      this.#hear({ id: 's-1', method: 'elicitation/create', params: { message: 'How many?' } })
    } else if (method === undefined) {
      const { seats } = (message.result as { content: { seats: number } }).content
      const { show } = (this.#call!.params as { arguments: { show: string } }).arguments
      this.#hear({ id: this.#call!.id!, result: { text: `${seats} for ${show}` } })
    }
  }

  #hear(message: object): void {
    setTimeout(() => this.#conversation.hear({ jsonrpc: '2.0', ...message } as McpMessage), 1)
  }
}

async function recorded(): Promise<Cassette> {
  const booking = await new Booking(undefined, 'all').start()
  await booking.book('Hamlet', 2)
  expect(booking.results.at(-1)).toEqual({ text: '2 for Hamlet' })
  return (await booking.end())!
}

function failureOf(session: Session): RenderedFailure | undefined {
  return judgeAttempt(session, { passed: true, now: new Date('2026-01-02'), color: false }).failure
}

test('the same answer replays, with no server', async () => {
  const booking = await new Booking(await recorded(), 'new').start()
  await booking.book('Hamlet', 2)
  expect(booking.results.at(-1)).toEqual({ text: '2 for Hamlet' })
  expect(booking.sent).toEqual([])
  expect(failureOf(booking.session)).toBeUndefined()
})

test('another answer to a call that is replayed is refused, with the difference and the way out', async () => {
  const booking = await new Booking(await recorded(), 'new').start()
  await booking.book('Hamlet', 3)
  const told = (booking.results.at(-1) as { message: string }).message
  expect(booking.sent).toEqual([])
  const { code, headline, details } = failureOf(booking.session)!
  expect(code).toBe('miss')
  for (const fact of ['elicitation/create', 'booking']) expect(headline).toContain(fact)
  expect(details).toContain('seats: 2 → 3')
  expect(details).toContain('  npx vitest-cassette ')
  await expectGolden(`${told}\n\n---\n\n${headline}\n\n${details}`, 'another-answer')
})

test.for([
  [
    'after the recorded one',
    [
      ['Hamlet', 2],
      ['Faust', 3],
    ],
  ],
  [
    'before the recorded one',
    [
      ['Faust', 3],
      ['Hamlet', 2],
    ],
  ],
  ['in its place, answered alike', [['Faust', 2]]],
] as const)('a new call %s is asked live, and replays afterwards', async ([, calls]) => {
  const cassette = await recorded()
  const booking = await new Booking(cassette, 'new').start()
  for (const [show, seats] of calls) await booking.book(show, seats)
  const results = [
    { capabilities: {} },
    ...calls.map(([show, seats]) => ({ text: `${seats} for ${show}` })),
  ]
  expect(booking.results).toEqual(results)
  expect(failureOf(booking.session)).toBeUndefined()

  const again = await new Booking((await booking.end())!, 'replay').start()
  for (const [show, seats] of calls) await again.book(show, seats)
  expect(again.results).toEqual(results)
  expect(again.sent).toEqual([])
  expect(failureOf(again.session)).toBeUndefined()
})
