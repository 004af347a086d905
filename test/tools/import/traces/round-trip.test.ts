import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SYSTEM } from '../../../../emitters/agent.ts'
import { runChat, runMessages, runResponses } from '../../../../emitters/clients.ts'
import { decodeCassette } from '../../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../../src/cassette/encode.ts'
import { parseCassette } from '../../../../src/cassette/parse.ts'
import type { Cassette } from '../../../../src/cassette/cassette.ts'
import { readIncoming } from '../../../../src/engine/incoming.ts'
import type { Session } from '../../../../src/engine/session.ts'
import { cassetteOfTrace } from '../../../../src/tools/import/traces/trace-cassette.ts'
import { writeBody } from '../../../../src/wire/body.ts'
import { openExample } from '../../../engine/example-session.ts'
import { judged, nextOrder } from '../../../engine/written-file.ts'
import { requestTo } from '../../../providers/wire.ts'
import { readTraces } from './spans.ts'

// The agent of which the emitters have traced a run, answered by the cassette of that trace.

const folder = fileURLToPath(new URL('../../../../emitters/captured/', import.meta.url))
const versions = JSON.parse(readFileSync(`${folder}versions.json`, 'utf8')) as Record<
  string,
  { wire: keyof typeof WIRES }
>
const names = Object.keys(versions).filter((name) => !name.endsWith('without-content'))

const WIRES = {
  'openai-chat': { url: 'https://api.openai.com/v1/chat/completions', run: runChat },
  'openai-responses': { url: 'https://api.openai.com/v1/responses', run: runResponses },
  anthropic: { url: 'https://api.anthropic.com/v1/messages', run: runMessages },
}
const wires = Object.keys(WIRES) as Array<keyof typeof WIRES>

test.for(names)(
  'the trace of %s answers its agent, on each wire, at once and streamed',
  async (name) => {
    for (const wire of wires)
      for (const variant of ['plain', 'stream'] as const) {
        const session = openExample(cassetteOf(name, 'plain'))
        await replay(session, wire, variant)
        expect(judged(session), `${wire} ${variant}`).toEqual({})
      }
  },
)

test.for(names)(
  'one word of the instructions changed fails, if the trace of %s has them',
  async (name) => {
    const { wire } = versions[name]!
    const cassette = cassetteOf(name, 'plain')
    const isHeld = JSON.stringify(cassette.exchanges[0]!.prompt.metadata.context).includes(SYSTEM)
    const session = openExample(cassette)
    const change = (text: string): string => text.replace('You decide', 'They decide')
    const error = await replay(session, wire, 'plain', change).catch((thrown: unknown) => thrown)
    if (!isHeld) return expect(judged(session)).toEqual({})
    expect(error).toBeInstanceOf(Error)
    expect(judged(session).failure!.details).toMatch(
      /\[-You-\] decide on refunds[^]*\{\+They\+\} decide/,
    )
  },
)

test.for(names)('another tool fails, if the trace of %s has the tools', async (name) => {
  const cassette = cassetteOf(name, 'plain')
  const change = (text: string): string => text.replace('Finds an order.', 'Finds all orders.')
  const session = openExample(cassette)
  const error = await replay(session, versions[name]!.wire, 'plain', change).catch(
    (thrown: unknown) => thrown,
  )
  if (!cassette.exchanges[0]!.prompt.metadata.tools) return expect(judged(session)).toEqual({})
  expect(error).toBeInstanceOf(Error)
  expect(judged(session).failure!.details).toMatch(
    /1 change away[^]*look_up_order[^]*- Finds an order\.\s+\+ Finds all orders\./,
  )
})

test.for(names)('another question fails with the trace of %s', async (name) => {
  const session = openExample(cassetteOf(name, 'plain'))
  const change = (text: string): string =>
    text.replace('I want my money back', 'I want another one')
  await expect(replay(session, versions[name]!.wire, 'plain', change)).rejects.toThrow(
    'not replayed',
  )
})

test.for(names)('the error in the trace of %s is answered as one of the provider', async (name) => {
  let cassette
  try {
    cassette = cassetteOf(name, 'error')
  } catch {
    // These end no span of a call that failed.
    return expect(name).toMatch(/^(?:traceloop|openinference|phoenix)-openai/)
  }
  const session = openExample(cassette)
  await expect(replay(session, versions[name]!.wire, 'error')).rejects.toThrow(
    '429 Rate limit reached',
  )
  expect(judged(session)).toEqual({})
})

/** The cassette of a trace, written and read again. */
function cassetteOf(name: string, variant: string): Cassette {
  const { traces } = readTraces(readFileSync(`${folder}${name}.${variant}.jsonl`, 'utf8'), name)
  const made = cassetteOfTrace(traces[0]!, 'a.test.ts > asks', { now: new Date('2026-06-01') })
  const { stored } = encodeCassette(made, '')
  return decodeCassette(parseCassette(JSON.stringify(stored)), () => {
    throw new Error('no file')
  })
}

/** Runs the agent with a client that asks a session instead of a provider. */
async function replay(
  session: Session,
  wire: keyof typeof WIRES,
  variant: 'plain' | 'stream' | 'error',
  change: (text: string) => string = (text) => text,
): Promise<void> {
  const { url, run } = WIRES[wire]
  const create = async (body: object): Promise<unknown> => {
    const asked = requestTo(url, JSON.parse(change(JSON.stringify(body))))
    const answer = session.answer(readIncoming(asked), { order: nextOrder() })
    if (answer.action !== 'replay') throw new Error('not replayed')
    const { status, body: given } = answer.response
    const text = Buffer.concat(writeBody(given)).toString()
    if (status >= 400) throw new Error(`${status} ${JSON.parse(text).error.message}`)
    return variant === 'stream' ? eventsIn(text) : JSON.parse(text)
  }
  const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
  await run(client, { variant })
}

async function* eventsIn(text: string): AsyncGenerator<unknown> {
  for (const [, data] of text.matchAll(/^data: (.*)$/gm))
    if (data !== '[DONE]') yield JSON.parse(data!)
}
