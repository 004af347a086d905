import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { Journal, type PaidAnswer } from '../../src/cassette/journal.ts'
import { readJournals } from '../../src/cassette/leftovers.ts'
import { parseJson } from '../../src/json/json-value.ts'
import { type Body, readText } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { exampleExchange } from './example-cassette.ts'

/** The beginning of a PNG, long enough to be stored as a file. */
const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(400)]).toString(
  'base64',
)

const PATH = 'a.test.ts/greets-0123456789.json'
const FOLDER = 'node_modules/.cache/vitest-cassette/journal/__recordings__'

function openJournal(): { root: string; journal: Journal; file: () => string } {
  const root = mkdtempSync(join(tmpdir(), 'cassette-journal-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return {
    root,
    journal: reopen(root),
    file: () => join(root, FOLDER, readdirSync(join(root, FOLDER))[0]!),
  }
}

function reopen(root: string): Journal {
  return new Journal({ root, dir: '__recordings__', path: PATH, id: 'a.test.ts > greets' })
}

function paid(order: number, response?: Body): PaidAnswer {
  const { wire } = exampleExchange(order, parseJson('{ "seed": 1.0 }'), response)
  return { order, hash: `sha256-${order}`, durationMs: 7, ...wire }
}

test('an answer is there as soon as it is added, as it was, for its owner alone', () => {
  const { root, journal, file } = openJournal()
  const bytes = paid(1, { kind: 'bytes', bytes: randomBytes(20_000) })
  journal.append(bytes)
  journal.append(paid(2))
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(readJournals(root, '__recordings__')).toEqual([])
  journal.release()
  const [left] = readJournals(root, '__recordings__')
  expect(left).toMatchObject({ path: PATH, id: 'a.test.ts > greets', answers: [bytes, paid(2)] })
})

test.for<[what: string, body: Body]>([
  ['a picture', { kind: 'json', value: { b64_json: PICTURE }, layout: {} }],
  [
    'keys that a cassette reserves',
    readText('{"$":["a"],"b":[{"$like":"x","$$join":{"$file":1}}]}'),
  ],
  ['JSON in a text, and odd numbers', readText('{"b": "{\\"$ref\\": 1.50}", "a": 1e400}')],
  [
    'events',
    readBody(
      Buffer.from('data: {"$each": ["a"], "n": 1.0}\n\ndata: [DONE]\n\n'),
      'text/event-stream',
    ),
  ],
  ['lines', readBody(Buffer.from('{"$items":[]}\n{"a":1}\n'), 'application/x-ndjson')],
  ['a form', { kind: 'form', parts: [{ name: '$file', text: 'a' }] }],
])('a request or an answer with %s comes back as it was', ([, body]) => {
  const { root, journal } = openJournal()
  const none: Body = { kind: 'empty' }
  // No request is a stream of events, and no answer a form.
  const asked = body.kind === 'events' ? none : body
  const answered = body.kind === 'form' ? none : body
  const answer = paid(1, answered)
  journal.append({ ...answer, request: { ...answer.request, body: asked } })
  journal.release()
  const [kept] = readJournals(root, '__recordings__')[0]!.answers
  expect(kept!.response.body).toEqual(answered)
  expect(kept!.request.body).toEqual(asked)
})

test('a later answer with the same order takes the place of the one before', () => {
  const { root, journal } = openJournal()
  const later = paid(1, { kind: 'text', text: 'more' })
  for (const answer of [paid(2), paid(1), later]) journal.append(answer)
  journal.release()
  expect(readJournals(root, '__recordings__')[0]!.answers).toEqual([later, paid(2)])
})

test('wherever a journal is torn, all that was whole is read, and what is added after it', () => {
  const { root, journal, file } = openJournal()
  for (const order of [1, 2, 3]) journal.append(paid(order, { kind: 'text', text: '{"é": 1}\n' }))
  const whole = readFileSync(file())
  const ends = [...whole.toString('latin1').matchAll(/(?=\n|$)/g)]
    .map(({ index }) => index)
    .slice(1)
  rmSync(file())
  const torn = join(root, FOLDER, 'torn.jsonl')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length }), fc.boolean(), (length, goesOn) => {
      const rest = goesOn ? whole.subarray(0, ends[0]) : Buffer.alloc(0)
      writeFileSync(torn, Buffer.concat([whole.subarray(0, length), rest]))
      const orders = new Set(goesOn ? [1] : [])
      for (const [index, end] of ends.entries()) if (end <= length) orders.add(index + 1)
      const answers = readJournals(root, '__recordings__')[0]?.answers ?? []
      expect(answers.map(({ order }) => order)).toEqual([...orders].sort())
    }),
  )
})

test('what is no line of a journal is read over, whatever it is', () => {
  const { root } = openJournal()
  mkdirSync(join(root, FOLDER), { recursive: true })
  const line = fc.oneof(fc.string(), fc.json(), fc.constantFrom('{"path":"../x","exchange":{}}'))
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      writeFileSync(join(root, FOLDER, 'any.jsonl'), lines.join('\n'))
      expect(readJournals(root, '__recordings__')).toEqual([])
    }),
  )
})

test('a cassette that is written takes the journals of its earlier attempts with it, and no others', () => {
  const { root, journal } = openJournal()
  const [interrupted, running] = [reopen(root), reopen(root)]
  const place = { root, dir: '__recordings__', path: 'b.test.ts/greets-9876543210.json', id: 'b' }
  const other = new Journal(place)
  for (const one of [journal, interrupted, running, other]) one.append(paid(1))
  interrupted.release()
  other.release()
  journal.deleteAll()
  expect(readdirSync(join(root, FOLDER))).toHaveLength(2)
  expect(readJournals(root, '__recordings__').map(({ id }) => id)).toEqual(['b'])
})

test('where node_modules cannot be written, answers are kept among temporary files', () => {
  const { root, journal } = openJournal()
  writeFileSync(join(root, 'node_modules'), 'not a folder')
  journal.append(paid(1))
  onTestFinished(() => rmSync(join(journal.display!, '../../..'), { recursive: true, force: true }))
  expect(journal.isElsewhere).toBe(true)
  expect(journal.display).toContain(tmpdir())
  journal.release()
  expect(readJournals(root, '__recordings__')).toHaveLength(1)
})

test('what arrives after the end of an attempt is not kept', () => {
  const { root, journal } = openJournal()
  journal.append(paid(1))
  journal.delete()
  journal.append(paid(2))
  expect(readdirSync(join(root, FOLDER))).toEqual([])
})
