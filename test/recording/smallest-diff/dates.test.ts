import type { Body } from '../../../src/wire/body.ts'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRecorded, type Cassette } from '../../../src/cassette/cassette.ts'
import { CassetteStore } from '../../../src/cassette/store.ts'
import { describeTurns } from '../../../src/recording/describe.ts'
import { readIncoming } from '../../../src/engine/incoming.ts'
import { keepUnchanged, type Rerecording } from '../../../src/recording/keep-unchanged.ts'
import { exampleCassette, type RecordedCassette } from '../../cassette/example-cassette.ts'

const PATH = 'a.test.ts/greets-0123456789.json'

/** A folder into which recordings are saved as a test run does. */
function openFolder() {
  const root = mkdtempSync(join(tmpdir(), 'dates-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = new CassetteStore(root, '__recordings__', 1_000_000)
  return {
    store,
    file: join(root, '__recordings__', PATH),
    save: (cassette: RecordedCassette, how?: Rerecording) =>
      store.save(PATH, described(cassette), keepUnchanged(how)),
  }
}

/** With the readable half that its wire half has. */
function described({ exchanges, ...head }: Cassette): RecordedCassette {
  const turns = exchanges
    .filter(isRecorded)
    .map(({ wire: { request, response }, response: said }) => ({
      incoming: readIncoming(request),
      response,
      durationMs: said.duration_ms,
    }))
  return { ...head, exchanges: describeTurns(turns) as RecordedCassette['exchanges'] }
}

const cassette = described(exampleCassette({ messages: ['Hello'] }))

const LATER = '2027-01-01T00:00:00.000Z'
const MARK = { reason: 'old', since: '2026-05-01T00:00:00.000Z' }

/** Two questions, the second answered otherwise. */
function anotherAnswer(): RecordedCassette {
  const more = exampleCassette({ messages: ['Hello'] }, { messages: ['Bye'] })
  more.exchanges[1]!.wire.response.body = { kind: 'json', value: { content: 'Ciao' }, layout: {} }
  return described({ ...more, timestamp: LATER })
}

test('where some answers stay, the date of the oldest is kept beside the new one', async () => {
  const { store, save } = openFolder()
  await save(cassette)
  await save(anotherAnswer())
  const oldestAnswer = cassette.timestamp
  expect(store.load(PATH)).toEqual({ ...anotherAnswer(), oldestAnswer })
  const [first, second] = anotherAnswer().exchanges
  const shifted = { ...cassette, timestamp: '2027-02-01T00:00:00.000Z' }
  await save({ ...shifted, exchanges: [second!, first!] })
  expect(store.load(PATH)).toMatchObject({ timestamp: shifted.timestamp, oldestAnswer })
  const body: Body = { kind: 'json', value: { content: 'another' }, layout: {} }
  first!.wire = { ...first!.wire, response: { ...first!.wire.response, body } }
  await save({ ...shifted, exchanges: [first!] })
  expect(store.load(PATH)).toEqual(described({ ...shifted, exchanges: [first!] }))
})

test('a recording that renews an invalid one has its own date, even with the same answers', async () => {
  const { store, save } = openFolder()
  await save(cassette)
  await store.mark(PATH, MARK)
  await save({ ...cassette, timestamp: LATER })
  expect(store.load(PATH)).toEqual({ ...cassette, invalid: MARK })
  await save(anotherAnswer())
  expect(store.load(PATH)).toMatchObject({ timestamp: LATER, invalid: MARK })
  await save({ ...cassette, timestamp: LATER }, { renews: true })
  expect(store.load(PATH)).toEqual({ ...cassette, timestamp: LATER })
})

test('saving the same again touches nothing, whatever the clock says', async () => {
  const { save, file } = openFolder()
  await save(cassette)
  const text = readFileSync(file, 'utf8')
  utimesSync(file, 1, 1)
  const [exchange] = cassette.exchanges
  const later = { ...cassette, timestamp: '2027-01-01T00:00:00.000Z' }
  later.exchanges = [{ ...exchange!, response: { ...exchange!.response, duration_ms: 99 } }]
  await save(later)
  expect(statSync(file).mtimeMs).toBe(1_000)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('an answer that changed is written with its date', async () => {
  const { save, file } = openFolder()
  await save(cassette)
  const later = {
    ...exampleCassette({ messages: ['Hello'] }),
    timestamp: '2027-01-01T00:00:00.000Z',
  }
  later.exchanges[0]!.wire.response.body = { kind: 'text', text: 'Another' }
  await save(later)
  expect(readFileSync(file, 'utf8')).toContain('2027-01-01')
})

test('where its age counts, a recording that says the same changes its date alone', async () => {
  const { save, file } = openFolder()
  await save(cassette)
  const before = readFileSync(file, 'utf8').split('\n')
  await save({ ...cassette, timestamp: LATER }, { renewsAge: true })
  const after = readFileSync(file, 'utf8').split('\n')
  const changed = after.filter((line, index) => line !== before[index])
  expect(after).toHaveLength(before.length)
  expect(changed.join()).toContain(LATER)
  expect(changed.filter((line) => !/"timestamp"/.test(line))).toEqual([])
})

test('a prompt that changed leaves the answer as old as it is', async () => {
  const { store, save } = openFolder()
  await save(cassette)
  await save({ ...exampleCassette({ messages: ['Hello!'] }), timestamp: LATER })
  const oldestAnswer = cassette.timestamp
  expect(store.load(PATH)).toMatchObject({ timestamp: LATER, oldestAnswer })
})
