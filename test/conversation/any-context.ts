import fc from 'fast-check'
import type { ContextEntry } from '../../src/conversation/context-file.ts'
import { parseJson, type JsonObject } from '../../src/json/json-value.ts'

/** Texts that repeat, look like JSON, or are hard to print. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('yes', 'OK', ' ', '{"a":1}', '[]', '👤 User', '> x\ny', '::error::x'),
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.lorem({ maxCount: 60 }),
)

/** Objects that JSON can carry, as tools are called with. */
export const anyParameters: fc.Arbitrary<JsonObject> = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => parseJson(JSON.stringify(value)) as JsonObject)

type Said = Pick<ContextEntry, 'role' | 'content'>

const anyAnswer: fc.Arbitrary<Said> = fc
  .oneof(
    anyText,
    fc.record({ text: anyText, reasoning: anyText }),
    fc.record(
      {
        toolCall: anyText,
        parameters: anyParameters,
        text: anyText,
        reasoning: anyText,
        result: anyText,
      },
      { requiredKeys: ['toolCall', 'parameters'] },
    ),
  )
  .map((content) => ({ role: 'assistant', content }))

const anySaid: fc.Arbitrary<Said> = fc.oneof(
  { weight: 3, arbitrary: anyText.map((content): Said => ({ role: 'user', content })) },
  fc.record({ userid: anyText, text: anyText }).map((content): Said => ({ role: 'user', content })),
  anyText.map((content): Said => ({ role: 'system', content })),
)

/** Conversations that keep every rule of the context format, and end with an answer. */
export const anyContext: fc.Arbitrary<ContextEntry[]> = fc
  .tuple(
    fc.array(fc.oneof(anySaid, anyAnswer), { maxLength: 12 }),
    anyAnswer,
    fc.array(fc.nat(100_000), { minLength: 13, maxLength: 13 }),
  )
  .map(([said, answer, waits]) => {
    let turn = 0
    let time = Date.parse('2026-01-01T00:00:00.000Z')
    return [...said, answer].map(({ role, content }, index): ContextEntry => {
      if (role === 'user') turn++
      time += waits[index]!
      return { index, turn, timestamp: new Date(time).toISOString(), role, content }
    })
  })
