import type { Cassette } from '../../src/cassette/cassette.ts'
import type { CassetteOptions } from '../../src/config/options.ts'
import { answerByPictures } from '../../src/transports/intercept/answer/beyond-replay.ts'
import { readIncoming, type Incoming } from '../../src/engine/incoming.ts'
import { describeTurns } from '../../src/recording/describe.ts'
import type { Answer } from '../../src/engine/session-contract.ts'
import type { Session } from '../../src/engine/session.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import { readText } from '../../src/wire/body.ts'
import { question } from '../engine/example-session.ts'
import { dialectFor } from '../../src/engine/read-prompt.ts'

/** Asks as interception does; what is replayed is told by its text. */
export async function ask(
  session: Session,
  incoming: Incoming,
  options: CassetteOptions = {},
): Promise<string> {
  const asked = options.volatile
    ? readIncoming(incoming.wire, { volatile: options.volatile })
    : incoming
  const answer: Answer = await answerByPictures(session, asked, { order: 0 })
  if (answer.action !== 'replay') return answer.action
  return dialectFor(asked).readCompletion(answer.response).text
}

/** A prompt with a picture. */
export function show(
  picture: string,
  text: string = 'Where do I pay?',
  type: string = 'image/png',
): Incoming {
  return question('', { messages: contentOf(text, [picture], type) })
}

/** A prompt with several pictures. */
export function showAll(pictures: string[]): Incoming {
  return question('', { messages: contentOf('Where do I pay?', pictures) })
}

/** The messages of a prompt with pictures. */
export function contentOf(
  text: string,
  pictures: string[],
  type: string = 'image/png',
): JsonObject[] {
  const images = pictures.map((base64) => ({
    type: 'image_url',
    image_url: { url: `data:${type};base64,${base64}` },
  }))
  return [{ role: 'user', content: [{ type: 'text', text }, ...images] }]
}

/** A cassette whose answers are numbered, and click where a point is given. */
export function cassette(asked: Incoming[], point?: JsonValue): Cassette {
  const call = { name: 'click', arguments: JSON.stringify(point) }
  const calls = point ? { tool_calls: [{ id: 'call-1', type: 'function', function: call }] } : {}
  const turns = asked.map((incoming, index) => ({
    incoming,
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: readText(
        JSON.stringify({ choices: [{ message: { content: `answer ${index + 1}`, ...calls } }] }),
      ),
    },
  }))
  return {
    conversationId: 'a.test.ts > asks',
    timestamp: '2026-01-01T00:00:00.000Z',
    exchanges: describeTurns(turns),
  }
}
