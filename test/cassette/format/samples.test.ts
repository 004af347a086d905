import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Cassette, Exchange } from '../../../src/cassette/cassette.ts'
import { CassetteStore } from '../../../src/cassette/store.ts'
import { recoverCassette, recoverParked } from '../../../src/recording/recovered-cassette.ts'
import { question, recorded } from '../../engine/example-session.ts'

const PATH = 'a.test.ts/asks-0123456789.json'

/** A recording of one sample, in which each answer names it. */
function sampleOf(sample: number, ...texts: string[]): Cassette {
  const cassette = recorded(
    ...texts.map((text): [ReturnType<typeof question>, string] => [
      question(text),
      `${text} ${sample}`,
    ]),
  )
  const named = cassette.exchanges.map((one) => (sample > 1 ? { ...one, sample } : one))
  return {
    ...cassette,
    timestamp: `2026-01-0${sample}T00:00:00.000Z`,
    exchanges: named as Exchange[],
  }
}

function storeIn(folder: string, sample?: number): CassetteStore {
  return new CassetteStore(folder, '__recordings__', 1e9, sample)
}

const textsOf = (cassette: Cassette | undefined): string[] =>
  cassette!.exchanges.map(({ id, sample = 1, response }) => `${id} ${sample}: ${response.text}`)

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'samples-'))
}

test('a sample is written beside the others, in the order of their numbers', async () => {
  const folder = newFolder()
  await storeIn(folder, 2).save(PATH, sampleOf(2, 'a'), (_, fresh) => fresh)
  await storeIn(folder, 1).save(PATH, sampleOf(1, 'a', 'b'), (_, fresh) => fresh)
  await storeIn(folder, 3).save(PATH, sampleOf(3, 'a'), (_, fresh) => fresh)
  expect(textsOf(storeIn(folder).load(PATH))).toEqual([
    'exchange-1 1: a 1',
    'exchange-2 1: b 1',
    'exchange-3 2: a 2',
    'exchange-4 3: a 3',
  ])
  await storeIn(folder, 1).save(PATH, sampleOf(1, 'c'), (old, fresh) => {
    expect(textsOf(old)).toEqual(['exchange-1 1: a 1', 'exchange-2 1: b 1'])
    return fresh
  })
  expect(textsOf(storeIn(folder).load(PATH))).toEqual([
    'exchange-1 1: c 1',
    'exchange-2 2: a 2',
    'exchange-3 3: a 3',
  ])
})

test('a request that comes after another one stays behind that of its own sample', async () => {
  const folder = newFolder()
  const two = sampleOf(2, 'a', 'b')
  const [first, second] = two.exchanges
  const request = { ...second!.wire!.request, after: first!.id }
  const later = { ...second, wire: { ...second!.wire, request } } as Exchange
  await storeIn(folder, 2).save(PATH, { ...two, exchanges: [first!, later] })
  await storeIn(folder, 1).save(PATH, sampleOf(1, 'a'), (_, fresh) => fresh)
  const { exchanges } = storeIn(folder).load(PATH)!
  expect(exchanges.map(({ wire }) => wire!.request.after)).toEqual([
    undefined,
    undefined,
    'exchange-2',
  ])
})

test('the age of a cassette is that of its oldest sample', async () => {
  const folder = newFolder()
  const save = (sample: number, day: number) =>
    storeIn(folder, sample).save(
      PATH,
      { ...sampleOf(sample, 'a'), timestamp: `2026-02-0${day}T00:00:00.000Z` },
      (_, fresh) => fresh,
    )
  const age = (): string | undefined => storeIn(folder).load(PATH)!.oldestAnswer
  await storeIn(folder).save(PATH, sampleOf(1, 'a'))
  await save(2, 1)
  expect(age()).toBe('2026-01-01T00:00:00.000Z')
  await save(1, 2)
  expect(age()).toBe(undefined)
})

test('recordings of failed samples are parked beside each other, and recovered as samples', async () => {
  const folder = newFolder()
  const place = join(folder, 'node_modules/.cache/vitest-cassette/parked')
  const parked = (): Cassette | undefined =>
    new CassetteStore(place, '__recordings__', Infinity).load(PATH)
  await storeIn(folder, 1).park(PATH, sampleOf(1, 'a'))
  await storeIn(folder, 2).park(PATH, sampleOf(2, 'a'))
  await storeIn(folder, 3).save(PATH, sampleOf(3, 'a'), (_, fresh) => fresh)
  expect(textsOf(parked())).toEqual(['exchange-1 1: a 1', 'exchange-2 2: a 2'])
  const known = storeIn(folder).load(PATH)
  expect(textsOf(recoverParked(known, parked()!, false)!.cassette)).toEqual([
    'exchange-1 1: a 1',
    'exchange-2 2: a 2',
    'exchange-3 3: a 3',
  ])
  await storeIn(folder, 1).save(PATH, sampleOf(1, 'a'), (_, fresh) => fresh)
  expect(textsOf(parked())).toEqual(['exchange-1 2: a 2'])
  await storeIn(folder, 2).save(PATH, sampleOf(2, 'a'), (_, fresh) => fresh)
  expect(parked()).toBeUndefined()
})

test('answers of a run that broke off are added to their sample', () => {
  const known = { ...sampleOf(1, 'a'), exchanges: [...sampleOf(1, 'a').exchanges] }
  const [answer] = sampleOf(2, 'a').exchanges
  const { request, response } = answer!.wire!
  const answers = [
    { order: 1, sample: 2, hash: answer!.prompt.hash!, request, response: response! },
  ]
  const recovered = recoverCassette(known, { id: 'a', time: '2026-01-02T00:00:00.000Z', answers })
  expect(textsOf(recovered)).toEqual(['exchange-1 1: a 1', 'exchange-2 2: a 2'])
})
