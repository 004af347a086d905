import { preloadParts } from '../../src/real/load-later.ts'
import { describeTurns, type Turn } from '../../src/recording/describe.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { readText, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'

// Cassettes are made while files are collected, before `test/parts.ts` loads the parts.
await preloadParts()

/** What an agent says and does in one turn: it is asked, calls its tool, and answers. */
export interface AgentTurn {
  question: string
  reasoning?: string
  arguments: JsonObject
  result: string
  answer: string
  /** The base64 of a screenshot that is sent with the question. */
  screenshot?: string
}

/** How a conversation is written on the wire. */
export interface AgentWire {
  name: string
  url: string
  body(system: string, history: JsonValue[], stream: boolean): JsonObject
  asked(turn: AgentTurn): JsonValue[]
  /** The items that the answer adds to the history, and the answer itself. */
  called(turn: AgentTurn, id: string): { items: JsonValue[]; answer: Body; streamed: Body }
  returned(turn: AgentTurn, id: string): JsonValue[]
  said(turn: AgentTurn, id: string): { items: JsonValue[]; answer: Body; streamed: Body }
}

export interface AgentOptions {
  system?: string
  stream?: boolean
  /** How many items of the history are sent at most; the instructions always are. */
  window?: number
}

/** Records what an agent asks and is answered, two exchanges a turn. */
export function recordAgent(
  wire: AgentWire,
  turns: AgentTurn[],
  { system = 'Be kind.', stream = false, window = Infinity }: AgentOptions = {},
): Cassette {
  const history: JsonValue[] = []
  const recorded: Turn[] = []
  for (const [index, turn] of turns.entries()) {
    const id = `call_${index + 1}`
    history.push(...wire.asked(turn))
    for (const step of ['called', 'said'] as const) {
      const body = wire.body(system, window === Infinity ? history : history.slice(-window), stream)
      const incoming = readIncoming({
        method: 'POST',
        url: wire.url,
        body: readText(JSON.stringify(body)),
      })
      const { items, answer, streamed } = wire[step](turn, id)
      const type = stream ? 'text/event-stream' : 'application/json'
      const response = {
        status: 200,
        headers: { 'content-type': type },
        body: stream ? streamed : answer,
      }
      recorded.push({ incoming, response, durationMs: 1_000 })
      history.push(...items, ...(step === 'called' ? wire.returned(turn, id) : []))
    }
  }
  return {
    conversationId: `agent.test.ts > ${wire.name}`,
    timestamp: '2026-01-02T03:04:05.000Z',
    exchanges: describeTurns(recorded),
  }
}

/** A JSON answer. */
export function plain(value: JsonObject): Body {
  return readText(JSON.stringify(value))
}

/** A streamed answer: data, or name and data. */
export function streamed(events: Array<JsonObject | string>): Body {
  const text = events
    .map((data) => {
      if (typeof data === 'string') return `data: ${data}\n\n`
      const name = typeof data.type === 'string' ? `event: ${data.type}\n` : ''
      return `${name}data: ${JSON.stringify(data)}\n\n`
    })
    .join('')
  return readBody(Buffer.from(text), 'text/event-stream')
}

/** A text in pieces of a few characters, as models stream it. */
export function piecesOf(text: string): string[] {
  return text.match(/.{1,24}/gs) ?? ['']
}
