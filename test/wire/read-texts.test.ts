import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapInside, type JsonValue } from '../../src/json/json-value.ts'
import { readTexts, replaceTexts } from '../../src/wire/replace-texts.ts'

const key = fc.oneof(fc.constantFrom('content', 'text', 'input', '0', '1', 'a.b'), fc.string())
const bytes = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 20 })
const { value } = fc.letrec<{ value: JsonValue; text: string }>((tie) => ({
  text: fc.oneof(
    fc.string(),
    bytes.map((list) => list.join(', ')),
    tie('value').map((inside) => JSON.stringify(inside)),
  ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('text'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    bytes,
    bytes.map((list) => ({ ...list }) as JsonValue),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}))

/** Every text and key of JSON. */
function textsIn(json: JsonValue, found = new Set<string>()): Set<string> {
  if (typeof json === 'string') found.add(json)
  if (typeof json === 'object' && json !== null) {
    if (!Array.isArray(json)) for (const name of Object.keys(json)) found.add(name)
    mapInside(json, (child) => (textsIn(child, found), child))
  }
  return found
}

test('of JSON, what is read across texts and in lists of bytes is what would be replaced there', () => {
  fc.assert(
    fc.property(value, (json) => {
      const body = { kind: 'json', value: json, layout: {} } as const
      const [read, replaced] = [0, 1].map(() => ({
        across: [] as Array<readonly string[]>,
        bytes: [] as string[],
      })) as [Collected, Collected]
      const pieces = new Set<string>()
      readTexts(body, {
        piece: (text, streams) => (expect(streams).toBe(false), void pieces.add(text)),
        text: () => {},
        across: (texts) => read.across.push(texts),
        bytes: (said) => read.bytes.push(said),
      })
      replaceTexts(
        body,
        () => [],
        (texts) => (replaced.across.push(texts), []),
        (said) => (replaced.bytes.push(said), []),
      )
      expect(read).toEqual(replaced)
      for (const text of pieces) expect(textsIn(json)).toContain(text)
    }),
  )
})

interface Collected {
  across: Array<readonly string[]>
  bytes: string[]
}
