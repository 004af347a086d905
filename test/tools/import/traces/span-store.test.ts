import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { parseJson } from '../../../../src/json/json-value.ts'
import { SpanStore } from '../../../../src/tools/import/traces/span-store.ts'
import type { TraceSpan } from '../../../../src/tools/import/traces/span.ts'

function spanOf(trace: number, id: number): TraceSpan {
  return {
    traceId: `trace-${trace}`.padEnd(32, '0'),
    id: `${id}`,
    name: `“span ${id}”`,
    start: 1_700_000_000_000_000_000n + BigInt(id),
    attributes: { number: parseJson('12345678901234567890'), text: 'é'.repeat(id % 50) },
    events: [],
    scope: '',
    place: 'a',
  }
}

const nameless = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('vitest-cassette-spans'))

test.for([1, 1_000, 1_000_000])(
  'gives back the spans of each trace, with at most %i bytes in memory, and leaves no file',
  (mostInMemory) => {
    const before = nameless()
    using store = new SpanStore(mostInMemory)
    // Of three traces in turn, in two files; then of one trace alone.
    const all = Array.from({ length: 300 }, (_, id) => spanOf(id < 200 ? id % 3 : 1, id))
    for (const [index, span] of all.entries()) store.add(span, index < 100 ? 'a.json' : 'b.json')
    expect(store.keys()).toHaveLength(3)
    for (const key of store.keys()) {
      const { id, spans, files } = store.read(key)
      expect(spans).toEqual(all.filter(({ traceId }) => traceId === id))
      expect(files).toEqual(['a.json', 'b.json'])
    }
    expect(nameless()).toEqual(before)
  },
)

test('what a file has told can be left out', () => {
  using store = new SpanStore()
  store.add(spanOf(1, 1), 'a.json')
  store.add(spanOf(2, 2), 'b.json')
  store.add(spanOf(1, 3), 'b.json')
  store.drop('b.json')
  const [key, ...others] = store.keys()
  expect(others).toEqual([])
  expect(store.read(key!).spans.map(({ id }) => id)).toEqual(['1'])
})

test('what has no id of a trace is of its file', () => {
  using store = new SpanStore()
  for (const file of ['a.json', 'b.json']) store.add({ ...spanOf(1, 1), traceId: 'tree' }, file)
  expect(store.keys().map((key) => store.read(key).files)).toEqual([['a.json'], ['b.json']])
})
