import { randomBytes, randomInt } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { writeFrame } from '../../../src/wire/amazon-frames.ts'
import type { Dice, RenewingWire, Said } from './renewing-wires.ts'

/** Invents what no provider ever sends twice. */
export const dice: Dice = {
  id: (prefix) => prefix + randomBytes(16).toString('hex'),
  number: () => randomInt(1_000_000, 2_000_000_000),
  split(text) {
    const pieces: string[] = []
    for (let at = 0; at < text.length;) {
      const length = randomInt(1, 12)
      pieces.push(text.slice(at, at + length))
      at += length
    }
    return pieces
  },
}

/** What differs in a changed answer: a word of its text, a word of the arguments of its call, or all of its text. */
export type Changes = 'word' | 'call' | 'text'

/** What the model says to the last item of a conversation: it looks an order up, and then tells of it. */
export function say(last: JsonValue, changed?: number | 'all', changes: Changes = 'word'): Said {
  const isChanged = (order: string): boolean => changed === 'all' || Number(order) === changed
  const text = JSON.stringify(last)
  const [, question] = /Question (\d+)/.exec(text) ?? []
  if (question !== undefined) {
    const is = changes === 'call' && isChanged(question) ? 'was' : 'is'
    const note = `The customer of order ${question} asks, and the answer ${is} not known yet.`
    return { call: { name: 'look_up', arguments: { order: Number(question), note } } }
  }
  const [, order = '0'] = /Order (\d+)/.exec(text) ?? []
  if (changes === 'text')
    return {
      text: isChanged(order)
        ? `Nobody here knows of parcel ${order}, and I cannot find out; write again tomorrow.`
        : `Your order with the number ${order} left the house, and comes on Monday or a day later.`,
    }
  const when = changes === 'word' && isChanged(order) ? 'yesterday' : 'today'
  return {
    text: [
      `Order ${order} was packed ${when} and left the house in the afternoon.`,
      `It comes with the lorry that is called number ${order} and needs two days.`,
      'If nobody is at home, a neighbour may take it; tell me which one, and I write it down.',
    ].join('\n'),
  }
}

/** The bytes with which a provider answers. */
export function answerOf(wire: RenewingWire, request: JsonObject, said: Said): Buffer {
  const tokens = Math.ceil(JSON.stringify(request).length / 4)
  const events = wire.answer(said, request, tokens, dice)
  if (wire.type === 'text/event-stream') {
    const blocks = events.map(({ event, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
    })
    return Buffer.from(blocks.join(''))
  }
  return Buffer.concat(events.map(({ event, data }) => writeFrame({ event: event ?? '', data })))
}

/** The last item of a request's conversation. */
export function lastOf(wire: RenewingWire, request: JsonObject): JsonValue {
  return (request[wire.history] as JsonValue[]).at(-1)!
}
