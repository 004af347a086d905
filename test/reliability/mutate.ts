import fc from 'fast-check'

/** A JSON value as a stranger sees it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A change of a file: in its values, its exchanges, or its characters. */
export interface Mutation {
  how: 'replace' | 'edit' | 'remove' | 'rename' | 'add' | 'double' | 'swap' | 'splice' | 'exchange'
  at: number
  other: number
  value: Json
  key: string
}

/** What stands nowhere in a real file and anywhere in an edited one. */
const ANY: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
  fc.string(),
  fc.constantFrom<Json>(
    '',
    'a',
    '1.0',
    '1.2',
    '2.0',
    '2.1',
    '2030-01-01T00:00:00.000Z',
    'https://stranger.invalid/',
    'exchange-1',
    0,
    1,
    -1,
    200,
    429,
    1e21,
    true,
    false,
    null,
    {},
    [],
    { $: 'prompt' },
    { $: 'exchange-1.0' },
    { $join: ['a', { $: 'prompt' }] },
    { $like: 'exchange-1' },
    { $items: [0, 1] },
    { $each: ['a', 'b'] },
  ),
)

const KEY: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'kept',
    'headers',
    'after',
    'cut',
    'layout',
    'eol',
    'duration_ms',
    'usage',
    'error',
    'incomplete',
    'reasoning',
    'invalid',
    'params',
    'proposed_params',
    'oldest_answer',
    'status',
    'timestamps',
    'result',
    'location',
    'anthropic-beta',
    '$schema',
    'seal',
    'hashes',
    'rules',
    'request',
    'sent',
    'renewed',
    'named',
    'as_sent',
    'imported',
    'hash',
    'sample',
    'part',
    'id',
  ),
)

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom<Mutation['how']>(
    ...(['replace', 'edit', 'remove', 'rename', 'add', 'double', 'swap', 'splice'] as const),
    'exchange',
  ),
  at: fc.nat(),
  other: fc.nat(),
  value: ANY,
  key: KEY,
})

/** The text of a file after a change; the same where there is nothing to change. */
export function mutate(text: string, change: Mutation, print: (value: Json) => string): string {
  if (change.how === 'splice') return splice(text, change)
  const root = JSON.parse(text) as { exchanges: Json[] }
  if (change.how === 'exchange') moveExchange(root.exchanges, change)
  else changeValue(root as unknown as Json, change)
  return print(root as unknown as Json)
}

function splice(text: string, { at, other, value }: Mutation): string {
  const from = at % text.length
  const inserted = typeof value === 'string' ? value : ''
  return text.slice(0, from) + inserted + text.slice(from + (other % 4))
}

function moveExchange(exchanges: Json[], { at, other }: Mutation): void {
  const [moved] = exchanges.splice(at % exchanges.length, 1)
  if (other % 3 === 0) return
  exchanges.splice(other % (exchanges.length + 1), 0, moved!)
  if (other % 3 === 1) exchanges.push(structuredClone(moved!))
}

function changeValue(root: Json, { how, at, other, value, key }: Mutation): void {
  const places = placesIn(root)
  const { parent, name } = places[at % places.length]!
  const old = parent[name]!
  if (how === 'replace') parent[name] = value
  else if (how === 'edit') parent[name] = edited(old, other)
  else if (how === 'remove') remove(parent, name)
  else if (how === 'double' && Array.isArray(parent)) parent.push(structuredClone(old))
  else if (how === 'swap') {
    const second = places[other % places.length]!
    ;[parent[name], second.parent[second.name]] = [second.parent[second.name]!, old]
  } else {
    if (how === 'rename') remove(parent, name)
    const owner = how === 'add' && isObject(old) ? old : parent
    const put = how === 'add' ? value : old
    Object.defineProperty(owner, key, {
      value: put,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
}

/** A value that is nearly the same. */
function edited(value: Json, seed: number): Json {
  if (typeof value === 'number') return value + (seed % 2 === 0 ? 1 : 0.5)
  if (typeof value === 'boolean') return !value
  if (typeof value !== 'string') return Array.isArray(value) ? value.toReversed() : value
  const at = seed % (value.length + 1)
  const inserts = ['x', ' ', '\u200b', '\u{e0041}', '0', '']
  const insert = inserts[seed % inserts.length]!
  return value.slice(0, at) + insert + value.slice(insert === '' ? at + 1 : at)
}

function remove(parent: Record<string, Json>, name: string): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every place in a value: what holds it, and its name there. */
export function placesIn(root: Json): Array<{ parent: Record<string, Json>; name: string }> {
  if (typeof root !== 'object' || root === null) return []
  return Object.entries(root).flatMap(([name, child]) => [
    { parent: root as Record<string, Json>, name },
    ...placesIn(child),
  ])
}
