import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../../../src/json/json-value.ts'
import { valuesIn } from '../../../../src/tools/import/traces/trace-values.ts'
import { coded, expectGolden } from '../../../golden.ts'
import { failureHeadOf } from '../reasons.ts'

/** The values of a text that comes in blocks of a size. */
function read(
  text: string,
  blockBytes: number,
  options: { isLines?: boolean; pieceBytes?: number },
) {
  const bytes = Buffer.from(text)
  return Array.from(
    valuesIn(
      {
        name: 'trace.json',
        *blocks() {
          for (let at = 0; at < bytes.length; at += blockBytes)
            yield bytes.subarray(at, at + blockBytes)
        },
      },
      options,
    ),
  )
}

const text = fc.string({ unit: 'binary', maxLength: 12 })
const span = fc.record({
  spanId: text,
  attributes: fc.array(fc.jsonValue() as fc.Arbitrary<JsonValue>),
})

test('all spans of a value are in its pieces, once each, with what stands around them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.array(span, { maxLength: 5 }), { maxLength: 3 }), { maxLength: 3 }),
      fc.constantFrom(undefined, 2),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 300 }),
      (resources, indent, blockBytes, pieceBytes) => {
        const value = {
          resourceSpans: resources.map((scopes, index) => ({
            resource: { index },
            scopeSpans: scopes.map((spans, scope) => ({ scope: { name: `s${scope}` }, spans })),
          })),
        }
        const pieces = read(JSON.stringify(value, null, indent), blockBytes, { pieceBytes })
        const found = pieces.flatMap(({ value: piece }) =>
          (piece as unknown as typeof value).resourceSpans.flatMap(({ resource, scopeSpans }) =>
            scopeSpans.flatMap(({ scope, spans }) =>
              spans.map((one) => [resource.index, scope.name, one]),
            ),
          ),
        )
        const wanted = resources.flatMap((scopes, index) =>
          scopes.flatMap((spans, scope) => spans.map((one) => [index, `s${scope}`, one])),
        )
        expect(JSON.stringify(found)).toBe(JSON.stringify(wanted))
      },
    ),
  )
})

test('values follow each other, one a line or not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue().map((one) => [one])),
      fc.integer({ min: 1, max: 40 }),
      (values, blockBytes) => {
        for (const [between, indent, isLines] of [
          ['\n', undefined, true],
          ['\r\n\n', undefined, true],
          [' ', 1, false],
        ] as const) {
          const all = values.map((one) => JSON.stringify(one, null, indent)).join(between)
          const found = read(all, blockBytes, { isLines }).map(({ value }) => value)
          expect(JSON.stringify(found)).toBe(JSON.stringify(values))
        }
      },
    ),
  )
})

test('a list, and a list in an object, come in pieces', () => {
  const items = Array.from({ length: 9 }, (_, id) => ({ id }))
  for (const whole of [items, { trace: { id: 7 }, observations: items }, { data: items }]) {
    const pieces = read(JSON.stringify(whole), 7, { pieceBytes: 40 })
    expect(pieces.length).toBeGreaterThan(1)
    const found = pieces.flatMap(({ value }) =>
      Array.isArray(value)
        ? value
        : Object.values(value as object).flatMap((one) => (Array.isArray(one) ? one : [])),
    )
    expect(found).toEqual(items)
    expect(pieces[1]!.place).toBe('trace.json, piece 2')
  }
  const [, second] = read(JSON.stringify({ trace: { id: 7 }, observations: items }), 7, {
    pieceBytes: 40,
  })
  expect(second!.value).toMatchObject({ trace: { id: 7 } })
})

test('a list that leads to no spans is never cut', () => {
  const value = { runs: [{ inputs: { runs: ['a'.repeat(50), { spans: ['b'.repeat(50)] }] } }] }
  expect(read(JSON.stringify(value), 5, { pieceBytes: 10 })[0]!.value).toEqual(value)
})

const BROKEN: Array<[text: string, isLines: boolean, names: string[]]> = [
  ['{"a":1}\nnonsense', true, [' line 2 ', ': "n']],
  ['{"a":1}\n{"b":', true, [' line 2 ', String.raw`: "{\"b\":"`]],
  ['{"a":1}\n{"b":\n{"c":1}', true, [' line 2 ', String.raw`: "{\"b\":"`]],
  ['{"a":1}\n{"b" 1}\n{"c":1}', true, [' line 2 ', String.raw`: "{\"b\" 1}"`]],
  ['[{"a":1},\n', false, [' JSON: ']],
  ['{"a" 1}', false, [' JSON: Expected']],
  ['}', false, [' line 1 ', ': "}"']],
  ['"text"', false, [' line 1 ', String.raw`: "\"`]],
]

test.for(BROKEN)('%s is refused', ([said, isLines, names]) => {
  for (const blockBytes of [1, 3, 100]) {
    const open = (): unknown => read(said, blockBytes, { isLines })
    expect(open).toThrow(coded('invalid-cassette'))
    for (const name of names) expect(open).toThrow(name)
  }
})

test('a broken value is told with its line, or with what Node says', async () => {
  const told = [1, 4, 5].map(async (index) => {
    const [said, isLines] = BROKEN[index]!
    const failure = await failureHeadOf(() => read(said, 100, { isLines }))
    return `${said.trimEnd()}\n${failure.split('\n').at(-1)}`
  })
  await expectGolden((await Promise.all(told)).join('\n\n'), 'broken')
})

test('a byte order mark is no part of a value', () => {
  expect(read('\uFEFF{"a":1}', 2, {})).toEqual([{ value: { a: 1 }, place: 'trace.json' }])
})
