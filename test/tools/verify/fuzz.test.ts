import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cassette } from '../../../src/cassette/cassette.ts'
import { decodeCassette } from '../../../src/cassette/decode.ts'
import { encodeCassette } from '../../../src/cassette/encode.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { printCassette } from '../../../src/cassette/format.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { Matcher } from '../../../src/engine/match.ts'
import { CassetteError } from '../../../src/errors.ts'
import { Statistics } from '../../../src/features/run-statistics.ts'

import { CASSETTE_CHECKS, type Circumstances } from '../../../src/tools/verify/checks.ts'
import { writeBody } from '../../../src/wire/body.ts'
import { recordAgent } from '../../conversation/example-agent.ts'
import { anthropicWire, chatWire } from '../../conversation/example-wires.ts'
import { times } from '../../effort.ts'
import { rareCases } from '../../../src/features/all-rare-cases.ts'
import { placesIn, type Json } from '../../reliability/mutate.ts'

/** So long each property looks for an input. */
const TIME = times(300, 2_000)

const turns = ['one', 'two'].map((name) => ({
  question: `question ${name}`,
  arguments: { name, nested: { list: [1, 2.5, null] } },
  result: `result ${name} `.repeat(40),
  answer: `answer ${name} `.repeat(40),
  screenshot: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(900)]).toString(
    'base64',
  ),
}))

const cassettes: Cassette[] = [
  recordAgent(chatWire, turns),
  recordAgent(chatWire, turns, { stream: true }),
  recordAgent(anthropicWire, turns, { stream: true, window: 3 }),
]
/** The place of a cassette that loads in no time. */
const TINY =
  cassettes.push(
    recordAgent(chatWire, [{ ...turns[0]!, screenshot: undefined, answer: 'x', result: 'y' }]),
  ) - 1

const files = cassettes.map((cassette) => {
  const { stored, blobs } = encodeCassette(cassette, 'cassette.schema.json')
  return { text: printCassette(stored), blobs }
})

/** What stands in a cassette at places where something else is meant. */
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(-1, 1e21, '', '\ud800', '__proto__', 'exchange-1', {}, [], [[]]),
  fc.record({
    $items: fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 3 }),
    $of: fc.constantFrom('exchange-1', 'exchange-2', 'x'),
  }),
  fc.record({
    $like: fc.constantFrom('exchange-1', 'exchange-3', 'x'),
    $without: fc.constantFrom<Json>([], ['messages'], ['x'], 'messages', [1]),
    messages: fc.constantFrom<Json>([{ $items: [0, 1] }], { $items: [0, 1] }, []),
  }),
  fc.record({
    $: fc.constantFrom<Json>(
      0,
      1,
      -1,
      0.5,
      1e9,
      null,
      '',
      'prompt',
      'text',
      'prompt.0-1',
      'prompt.1-0',
      'text.0-9',
      'exchange-1.0',
      'exchange-1.text',
      'exchange-9.text',
      'exchange-1.prompt.0-1',
      '/messages',
      '/__proto__',
      'exchange-1/messages/0',
      'exchange-1/__proto__',
      'x/',
      '~',
    ),
  }),
  fc.record({ $join: fc.constantFrom<Json>('a', [], ['a', 1], ['a', { $: 'prompt' }], [[]]) }),
  fc.record({ $each: fc.constantFrom<Json>('a', [], ['a', 1], ['a', 'b', 'c'], [{}], 1) }),
  fc.constantFrom<Json>(
    { $file: 'x.png' },
    { $file: 1 },
    { $file: `${'0'.repeat(64)}.png`, before: 1 },
    { $without: ['a'] },
    { $of: 'exchange-1' },
    { $: 'prompt', other: 1 },
    { other: 1, $: 'prompt' },
    { $$: 1, $$each: [1] },
    { $unknown: 1 },
    [['a', 1]],
    [['a', 'b', 'c']],
    [[]],
    [{ bytes: '' }, { event: '', data: 1 }],
    [{ headers: { a: 1 }, data: {} }],
    [{ event: 'a', data: {}, chunk: 1 }],
    [{ name: 'a', file: 'x.png' }],
    [{ name: 1, text: {} }],
    { indent: 1e9 },
    { spaced: true, ascii: true, end: ' ' },
  ),
)

interface Change {
  at: number
  how: 'replace' | 'remove' | 'rename' | 'double' | 'body'
  value: Json
  key: string
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'rename', 'double', 'body'),
  value,
  key: fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', '$', '$like', '$items', '$join', '$each', '$file', '$without'),
    fc.constantFrom('sent', 'request', 'text', 'body', 'events', 'lines', 'frames', 'form'),
    fc.constantFrom('renewed', 'layout', 'as_sent', 'after', 'hashes', 'seal', 'rules', 'id'),
  ),
})

test('any change of a value either loads or is refused with a reason', () => {
  check(
    fc.property(
      fc.nat(files.length - 1),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      (index, changes) => {
        const root = JSON.parse(files[index]!.text) as Json
        for (const one of changes) apply(root, one)
        load(JSON.stringify(root), index)
      },
    ),
  )
}, 60_000)

test('any body in place of a recorded one either loads or is refused with a reason', () => {
  const kinds = ['body', 'text', 'base64', 'file', 'form', 'lines', 'frames', 'events']
  const content = fc.oneof(value, fc.array(value, { maxLength: 2 }))
  check(
    fc.property(fc.constantFrom(...kinds), content, fc.boolean(), (kind, inside, isAsked) => {
      const stored = JSON.parse(files[TINY]!.text)
      const { request, response } = stored.exchanges[0]
      const message = isAsked ? request : response.sent
      for (const name of kinds) delete message[name]
      message[kind] = inside
      load(JSON.stringify(stored), TINY)
    }),
  )
}, 60_000)

test('any damage to the text either loads or is refused with a reason', () => {
  const damage = fc.record({
    at: fc.nat(),
    length: fc.nat(40),
    text: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('{', ']', '"', ',', '\n<<<<<<< HEAD\n'),
    ),
  })
  check(
    fc.property(
      fc.nat(files.length - 1),
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      (index, damages) => {
        let { text } = files[index]!
        for (const { at, length, text: inserted } of damages) {
          const place = at % text.length
          text = text.slice(0, place) + inserted + text.slice(place + length)
        }
        load(text, index)
      },
    ),
  )
}, 60_000)

const circumstances: Circumstances = {
  config: resolveConfig(
    { maxAge: 1, retiredModels: ['*-2'], maxFailures: 0 },
    { ci: false, recordInCi: false },
  ),
  statistics: new Statistics(),
  now: new Date(),
}

let loaded = 0

/** Loads a text the way replay and `verify` do; nothing but an error of ours may come of it. */
function load(text: string, index: number): void {
  loaded++
  try {
    const stored = parseCassette(text)
    const cassette = decodeCassette(stored, (name) => {
      const bytes = files[index]!.blobs.get(name)
      if (!bytes) throw new CassetteError('invalid-cassette', 'there is no such file')
      return bytes
    })
    void new Matcher(cassette, { rare: () => rareCases })
    for (const { wire } of cassette.exchanges) if (wire?.response) writeBody(wire.response.body)
    const opened = {
      path: 'a.test.ts/x-0123456789.json',
      file: '__recordings__/a.test.ts/x-0123456789.json',
      text,
      stored,
      cassette,
      blobs: new Set<string>(),
    }
    for (const [name, check] of Object.entries(CASSETTE_CHECKS))
      if (name !== 'secrets') void check(opened, circumstances)
  } catch (error) {
    if (!CassetteError.isInstance(error)) throw error
  }
}

const BODY = new Set(['body', 'events', 'renewed', 'url'])

function apply(root: Json, { at, how, value, key }: Change): void {
  // What stands in a body is looked at by nobody before it is decoded.
  const places = placesIn(root).filter(({ name }) => how !== 'body' || BODY.has(name))
  if (places.length === 0) return
  const { parent, name } = places[at % places.length]!
  if (how === 'replace' || how === 'body') parent[name] = value
  else if (how === 'remove') Reflect.deleteProperty(parent, name)
  else if (how === 'double' && Array.isArray(parent)) parent.push(parent[Number(name)]!)
  else
    Object.defineProperty(parent, key, {
      value: parent[name],
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

function check<T>(property: fc.IProperty<T>): void {
  const before = loaded
  fc.assert(property, {
    numRuns: 1e6,
    interruptAfterTimeLimit: TIME,
    markInterruptAsFailure: false,
  })
  expect(loaded).toBeGreaterThan(before)
}
