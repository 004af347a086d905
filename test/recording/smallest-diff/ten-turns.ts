import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { splitFrames } from '../../../src/wire/amazon-frames.ts'
import { parseEventStream } from '../../../src/wire/event-stream.ts'
import type { RenewingWire } from './renewing-wires.ts'

/** The instructions of an agent: 150 lines, one word of which can be another. */
export function instructions(word = 'kindly'): string {
  const lines = Array.from(
    { length: 149 },
    (_, line) => `${line + 1}. What rule ${line * 7} says about step ${line} has to be kept.`,
  )
  return [...lines.slice(0, 12), `Answer ${word} and in full sentences.`, ...lines.slice(12)].join(
    '\n',
  )
}

/**
 * An application that holds a conversation: each turn asks, has its tool called, and is answered.
 *
 * @param send sends a request and gives the bytes of its answer
 */
export async function converse(
  wire: RenewingWire,
  system: string,
  turns: number,
  send: (request: JsonObject) => Promise<Buffer>,
): Promise<void> {
  const history: JsonValue[] = []
  const ask = async (item: JsonValue): Promise<JsonValue[]> => {
    history.push(item)
    const events = readEvents(await send(wire.ask(system, history)))
    const repeated = wire.repeat(events)
    history.push(...repeated)
    return repeated
  }
  for (let turn = 1; turn <= turns; turn++) {
    const called = await ask(wire.question(`Question ${turn}: where is my order?`))
    await ask(wire.result(`Order ${turn} is on its way.`, called))
  }
}

function readEvents(bytes: Buffer): JsonObject[] {
  const frames = splitFrames(bytes)
  if (frames) return frames.flatMap((frame) => ('data' in frame ? [frame.data as JsonObject] : []))
  return parseEventStream(bytes.toString())
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as JsonObject)
}
