import type { Cassette } from '../../../src/cassette/cassette.ts'
import type { VolatileRule } from '../../../src/config/volatile-rule.ts'
import { describeTurns, type Turn } from '../../../src/recording/describe.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { Matcher } from '../../../src/engine/match.ts'
import { rareCases } from '../../../src/features/all-rare-cases.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { jsonOf, writeBody } from '../../../src/wire/body.ts'
import { readBody, readRequestBody } from '../../../src/wire/read-body.ts'
import type { WireRequest } from '../../../src/wire/message.ts'
import { answerOf, lastOf, say, type Changes } from './renewing-provider.ts'
import type { RenewingWire } from './renewing-wires.ts'
import { converse, instructions } from './ten-turns.ts'

/** How a conversation differs from the first one. */
export interface Variant {
  word?: string
  turns?: number
  /** The order whose answer says another word. */
  changed?: number | 'all'
  changes?: Changes
  /** What the application makes of a request before it is sent. */
  send?: (request: JsonObject, answers: Buffer[]) => JsonObject
  /** What the provider makes of an answer. */
  answer?: (bytes: Buffer, place: number) => Buffer
  volatile?: VolatileRule[]
}

/** Records a conversation with a provider that renews all that providers renew. */
export async function recordTurns(wire: RenewingWire, variant: Variant = {}): Promise<Cassette> {
  const turns: Turn[] = []
  const { changed, changes, volatile } = variant
  await talk(wire, variant, (request, place) => {
    const asked = jsonOf(request.body) as JsonObject
    const given = answerOf(wire, asked, say(lastOf(wire, asked), changed, changes))
    const bytes = variant.answer?.(given, place) ?? given
    const headers = { 'content-type': wire.type }
    const response = { status: 200, headers, body: readBody(bytes, wire.type) }
    turns.push({
      incoming: readIncoming(request, { volatile }),
      response,
      durationMs: Math.random(),
    })
    return bytes
  })
  return {
    conversationId: `again.test.ts > ${wire.name}`,
    timestamp: new Date(1.8e12 + Math.floor(Math.random() * 1e9)).toISOString(),
    exchanges: describeTurns(turns),
  }
}

/** Runs the same application against a cassette; throws where nothing answers. */
export async function replayTurns(
  wire: RenewingWire,
  cassette: Cassette,
  variant: Variant = {},
): Promise<void> {
  const { volatile } = variant
  const matcher = new Matcher(cassette, { volatile, rare: () => rareCases })
  await talk(wire, variant, (request, place) => {
    const found = matcher.next(readIncoming(request, { volatile }), {
      repeats: 'strict',
      unordered: true,
    })
    if (!found) throw new Error(`request ${place + 1} is answered by nothing`)
    found.recorded.played++
    return Buffer.concat(writeBody(found.recorded.exchange.wire!.response!.body))
  })
  if (matcher.unused.length > 0) throw new Error(`${matcher.unused.length} are not asked for`)
}

async function talk(
  wire: RenewingWire,
  { word, turns = 2, send = (request) => request }: Variant,
  answer: (request: WireRequest, place: number) => Buffer,
): Promise<void> {
  const answers: Buffer[] = []
  await converse(wire, instructions(word), turns, async (given) => {
    const body = Buffer.from(JSON.stringify(send(given, answers)))
    const url = `https://llm.example.com${wire.path}`
    const request = { method: 'POST', url, body: readRequestBody(body, 'application/json') }
    const bytes = answer(request, answers.length)
    answers.push(bytes)
    return bytes
  })
}
