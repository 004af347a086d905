import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import { recoverCassette } from '../../src/recording/recovered-cassette.ts'
import { isRecorded } from '../../src/cassette/cassette.ts'
import { chat, speak } from '../engine/chat.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'
import { judged, says, writtenFile } from '../engine/written-file.ts'

/** A cassette whose second exchange belongs to a judge. */
function withJudge(): Cassette {
  const cassette = recorded([question('one'), '1'], [question('Is 1 right?'), 'yes'])
  cassette.exchanges[1]!.part = 'judge'
  return { ...cassette, proposedParams: { order: 'A-4711' } }
}

const partsOf = ({ exchanges }: Cassette) => exchanges.map(({ part }) => part)

/** What is saved after a test asked in a mode. */
function savedBy(
  options: Parameters<typeof openExample>[1] & { allBytes?: boolean },
  ...asked: string[]
): Cassette {
  const old = withJudge()
  const session = openExample(old, options)
  if (options.allBytes) session.config.allBytes = true
  for (const text of asked) speak(session, question(text), `now ${text}`)
  const { save, merge } = judged(session)
  return merge ? merge(old, save!) : save!
}

test('recorded again, an exchange stays in its group, with the same prompt and with another one', () => {
  for (const allBytes of [false, true])
    for (const prompt of ['Is 1 right?', 'Is 1 quite right?']) {
      const saved = savedBy({ mode: 'all', allBytes }, 'one', prompt)
      expect(partsOf(saved)).toEqual([undefined, 'judge'])
      expect(saved.proposedParams).toEqual({ order: 'A-4711' })
    }
})

test('a new exchange is in no group', () => {
  expect(partsOf(savedBy({ mode: 'new' }, 'one', 'Is 1 right?', 'two'))).toEqual([
    undefined,
    'judge',
    undefined,
  ])
})

test('an exchange whose answer is kept stays in its group', () => {
  const saved = savedBy({ mode: 'prompts' }, 'one', 'Is 1 quite right?')
  expect(partsOf(saved)).toEqual([undefined, 'judge'])
  expect(saved.exchanges[1]).toMatchObject({ response: { text: 'yes', kept: true } })
  expect(saved.proposedParams).toEqual({ order: 'A-4711' })
})

test('what a person wrote stays in its group, and stays when answers are recovered', () => {
  const file = writtenFile({ ...says('one', 'as written'), part: 'judge' })
  const session = openExample(file, { mode: 'new' })
  expect(speak(session, chat('one'))).toBe('as written')
  speak(session, chat('two'))
  expect(partsOf(judged(session).save!)).toEqual(['judge', undefined])
  const [answer] = recorded([question('one'), 'paid for']).exchanges.filter(isRecorded)
  const { request, response } = answer!.wire
  const time = '2026-02-02T00:00:00.000Z'
  const answers = [{ order: 0, hash: answer!.prompt.hash, request, response }]
  const recovered = recoverCassette(file, { id: file.conversationId, time, answers })!
  expect(recovered.exchanges.map(({ response: { text } }) => text)).toEqual([
    'as written',
    'paid for',
  ])
  expect(partsOf(recovered)).toEqual(['judge', undefined])
})

test('a cassette that is marked or moved is the same but for its mark and its name', async () => {
  const root = mkdtempSync(join(tmpdir(), 'groups-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const store = new CassetteStore(root, '__recordings__', 1e6)
  const old = withJudge()
  await store.save('a.json', old)
  const before = readFileSync(join(root, '__recordings__/a.json'), 'utf8')
  const invalid = { reason: 'old', since: '2026-02-02T00:00:00.000Z' }
  await store.mark('a.json', invalid)
  expect(store.load('a.json')).toEqual({ ...old, invalid })
  await store.move('a.json', 'b.json', 'b.test.ts > asks')
  expect(store.load('b.json')).toEqual({ ...old, invalid, conversationId: 'b.test.ts > asks' })
  await store.mark('b.json', undefined)
  await store.move('b.json', 'a.json', old.conversationId)
  expect(readFileSync(join(root, '__recordings__/a.json'), 'utf8')).toBe(before)
})
