import type { Cassette } from '../../../src/cassette/cassette.ts'
import { question, recorded } from '../../engine/example-session.ts'

/** How the 41 recordings of a suite differ from the first ones. */
export interface Suite {
  /** A word of the instructions that all of them send. */
  word?: string
  /** What the model says of order 7. */
  seventh?: string
}

/** The cassettes of 41 tests whose instructions are the same, by their paths. */
export function suiteOf41({ word = 'kind', seventh = 'is lost' }: Suite = {}): Map<
  string,
  Cassette
> {
  const rules = Array.from({ length: 30 }, (_, index) => `Rule ${index + 1}: keep step ${index}.`)
  const system = ['You are a support agent.', ...rules.toSpliced(11, 1, `Rule 12: be ${word}.`)]
  return new Map(
    Array.from({ length: 41 }, (_, index) => {
      const order = index + 1
      const messages = [
        { role: 'system', content: system.join('\n') },
        { role: 'user', content: `Where is order ${order}?` },
      ]
      const answer = `Order ${order} ${order === 7 ? seventh : 'is on its way'}.`
      const cassette = recorded([question('', { model: 'gpt-4o-mini', messages }), answer])
      const file = `suite-${Math.floor(index / 5) + 1}.test.ts`
      const path = `${file}/order-${order}-${String(order).padStart(10, '0')}.json`
      return [path, { ...cassette, conversationId: `${file} > order ${order}` }]
    }),
  )
}
