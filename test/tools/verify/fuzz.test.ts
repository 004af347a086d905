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
    $same: fc.constantFrom('exchange-1', 'exchange-2', 'x'),
    count: fc.integer({ min: -1, max: 5 }),
    from: fc.integer({ min: -1, max: 5 }),
  }),
  fc.record({
    $same: fc.constantFrom('exchange-1', 'exchange-3'),
    at: fc.constantFrom(
      '',
      '/wire',
      '/response/text',
      '/wire/request/body',
      '/__proto__',
      'x',
      1,
    ) as fc.Arbitrary<Json>,
  }),
  fc.constantFrom<Json>(
    { $blob: 'x.png' },
    { $blob: 1 },
    { $json: 1 },
    { $stringified: null, layout: 1 },
    { $base64: {} },
    { $text: [1, {}] },
    { $events: 1 },
    { $events: [null] },
    { $lines: [null] },
    { $frames: [null] },
    { $form: [null] },
    { $events: [{ data: 1, pad: 'x' }] },
    { $lines: [1] },
    { $frames: [{ bytes: '' }, { event: '', data: 1 }] },
    { $form: [1] },
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
    fc.constantFrom('__proto__', '$same', '$json', '$blob', '$events', 'wire', 'text', 'body'),
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

test('any body in place of an answer either loads or is refused with a reason', () => {
  const kind = fc.constantFrom('$events', '$lines', '$frames', '$form', '$text', '$base64')
  const content = fc.oneof(value, fc.array(value, { maxLength: 2 }))
  check(
    fc.property(kind, content, (name, inside) => {
      const stored = JSON.parse(files[TINY]!.text)
      stored.exchanges[0].wire.response.body = { [name]: inside }
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

function apply(root: Json, { at, how, value, key }: Change): void {
  // What stands in a body is looked at by nobody before it is decoded.
  const places = placesIn(root).filter(({ name }) => how !== 'body' || name === 'body')
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
