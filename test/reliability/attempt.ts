import { createHash } from 'node:crypto'
import type { Cassette } from '../../src/cassette/cassette.ts'
import type { PaidAnswer } from '../../src/cassette/journal.ts'
import { jsonOf } from '../../src/wire/body.ts'
import { exampleCassette, type RecordedCassette } from '../cassette/example-cassette.ts'

/** The start of a PNG and what no compression makes smaller: it becomes a file of its own. */
const PICTURE = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  ...Array.from({ length: 500 }, (_, index) => createHash('sha256').update(`${index}`).digest()),
]).toString('base64')

/** What one attempt records: every answer names it, and all show the same picture. */
export function attemptOf(attempt: number, answers: number, length: number): RecordedCassette {
  const orders = Array.from({ length: answers }, (_, order) => order)
  const cassette = exampleCassette(...orders.map((order) => ({ order, picture: PICTURE })))
  for (const order of orders) {
    const { wire } = cassette.exchanges[order]!
    const value = { attempt, order, text: `${attempt} `.repeat(length / 8) }
    wire.response.body = { kind: 'json', value, layout: {} }
  }
  return { ...cassette, timestamp: new Date(Math.max(attempt, 1e12)).toISOString() }
}

/** The attempt that wrote a cassette; throws where it is not one attempt, whole. */
export function attemptIn(cassette: Cassette, answers: number): number {
  const found = cassette.exchanges.map(({ wire }) => nameOf(wire!.response!))
  const [attempt] = found[0]!
  for (const [order, name] of found.entries())
    if (name[0] !== attempt || name[1] !== order) throw new Error(`torn: ${JSON.stringify(found)}`)
  if (found.length !== answers) throw new Error(`${found.length} of ${answers} answers`)
  return attempt
}

/** The attempt and the place of an answer. */
export function nameOf({ body }: PaidAnswer['response']): [attempt: number, order: number] {
  const { attempt, order } = jsonOf(body) as { attempt: number; order: number }
  return [attempt, order]
}
