import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isRecorded, type Cassette, type RecordedExchange } from '../../../src/cassette/cassette.ts'
import { Journal } from '../../../src/cassette/journal.ts'
import { cassettePath } from '../../../src/cassette/paths.ts'
import { countInterrupted } from '../../../src/cassette/leftovers.ts'
import { CassetteStore } from '../../../src/cassette/store.ts'
import { readIncoming, type Incoming } from '../../../src/engine/incoming.ts'
import { framesAnswer, frameBody, type SocketFrame } from '../../../src/wire/socket-frames.ts'
import { question, recorded } from '../../engine/example-session.ts'
import { expectGolden } from '../../golden.ts'
import { CliProject } from '../run-cli.ts'

const PATH = cassettePath({ file: 'a.test.ts', titles: ['asks'], ordinal: 0 })
const JOURNALS = 'node_modules/.cache/vitest-cassette/journal/__recordings__'
const ID = 'a.test.ts > asks'

function openJournal({ root }: CliProject, path = PATH): Journal {
  return new Journal({ root, dir: '__recordings__', path, id: ID })
}

/** An attempt that ended with these answers, and without a cassette. */
function interrupt(
  project: CliProject,
  answers: Cassette,
  statuses: number[] = [],
  late?: boolean,
): void {
  project.writeTest({ conversationId: ID })
  const journal = openJournal(project)
  for (const [order, { prompt, wire }] of answers.exchanges.filter(isRecorded).entries())
    journal.append({
      order,
      hash: prompt.hash,
      request: wire.request,
      response: { ...wire.response, status: statuses[order] ?? 200 },
      ...(late ? { late } : {}),
    })
  journal.release()
}

function storeOf({ root }: CliProject): CassetteStore {
  return new CassetteStore(root, '__recordings__', 1e9)
}

function load(project: CliProject): Cassette | undefined {
  return storeOf(project).load(PATH)
}

function answersOf(cassette: Cassette | undefined): string[] {
  return (cassette?.exchanges ?? []).map(({ response }) => response.text!)
}

function journalsOf({ root }: CliProject): string[] {
  return existsSync(join(root, JOURNALS)) ? readdirSync(join(root, JOURNALS)) : []
}

const [one, two, three] = ['One?', 'Two?', 'Three?'].map((text) => question(text))

test('nothing left is said', async () => {
  using project = new CliProject()
  const { code, out, problems } = await project.run('recover')
  expect([code, problems]).toEqual([0, ''])
  await expectGolden(out, 'nothing-left')
})

test('an interrupted recording is shown, and written when that is wanted', async () => {
  using project = new CliProject()
  const answers = recorded([one!, 'First'], [two!, 'Second'])
  interrupt(project, answers)
  const shown = await project.run('recover')
  expect(shown.code).toBe(1)
  expect(shown.out).toMatch(
    /^__recordings__\/a\.test\.ts\/asks-\w+\.json {2}2 answers {2}20\d\d-\d\d-\d\d \d\d:\d\d UTC {2}.+\n$/,
  )
  expect(shown.problems).toContain('--yes')
  await expectGolden(spelled(shown), 'interrupted')
  expect([load(project), journalsOf(project).length]).toEqual([undefined, 1])

  const written = await project.run('recover', '--yes')
  expect(written.code).toBe(0)
  expect(written.out).toContain('  npx vitest-cassette record --new\n')
  await expectGolden(spelled(written), 'written')
  const timestamp: unknown = expect.any(String)
  expect(load(project)).toEqual({ ...answers, timestamp })
  expect(journalsOf(project)).toEqual([])
  writeFileSync(join(project.root, 'a.test.ts'), '')
  const verified = JSON.parse((await project.run('verify', '--json')).out) as object
  expect(verified).toEqual({ cassettes: 1, exchanges: 2, blobs: 0, findings: [] })
})

/** All that a command wrote, without what is another in each run. */
function spelled({ out, problems }: { out: string; problems: string }): string {
  return (out + problems)
    .replaceAll(/20\d\d-\d\d-\d\d \d\d:\d\d UTC/g, '<time>')
    .replaceAll(/-[0-9a-f]{8}\.[0-9a-f-]{36}/g, '-<run>')
    .replaceAll(/ {3,}/g, '  ')
}

test('what was recorded before stays, but for the prompts that were answered again', async () => {
  using project = new CliProject()
  await project.save(PATH, recorded([one!, 'Old'], [two!, 'Old']))
  interrupt(project, recorded([two!, 'New'], [three!, 'New']))
  const recovered = await project.run('recover', '--yes')
  expect(recovered.code).toBe(0)
  await expectGolden(spelled(recovered), 'changed')
  expect(answersOf(load(project))).toEqual(['Old', 'New', 'New'])
})

test('a cassette that was recorded later is overwritten only on request', async () => {
  using project = new CliProject()
  interrupt(project, recorded([one!, 'Older']))
  const newer = { ...recorded([one!, 'Newer']), timestamp: '2100-01-01T00:00:00.000Z' }
  await project.save(PATH, newer)
  const left = await project.run('recover', '--yes')
  expect(left.code).toBe(1)
  expect(left.out).toContain('--overwrite')
  await expectGolden(spelled(left), 'recorded-later')
  expect(answersOf(load(project))).toEqual(['Newer'])
  expect((await project.run('recover', '--yes', '--overwrite')).code).toBe(0)
  expect(answersOf(load(project))).toEqual(['Older'])
})

test('what looks like a credential is not brought back', async () => {
  using project = new CliProject()
  interrupt(project, recorded([one!, `xoxb-${'123456789012-'.repeat(2)}aB3dE5fG7hI9jK1lM3nO5pQ7`]))
  const secret = await project.run('recover', '--yes')
  expect(secret.code).toBe(1)
  expect(secret.out).toMatch(/ \(\S*slack\S*\) at \/exchanges\/0\//i)
  await expectGolden(spelled(secret), 'secret')
  expect([load(project), journalsOf(project).length]).toEqual([undefined, 1])
})

test('a recording that holds a value of the environment is not brought back', async () => {
  using project = new CliProject()
  project.env.ACME_API_KEY = 'zQ7pX2mKv9LtR4wBn8YcD1sFh6GjTa3E'
  await project.park(PATH, recorded([one!, `It is ${project.env.ACME_API_KEY}`]))
  expect((await project.run('recover', '--yes')).out).toContain('(value-of-your-environment) at /')
  expect(load(project)).toBeUndefined()
})

test('an error that a retry overcame is left out', async () => {
  using project = new CliProject()
  interrupt(project, recorded([one!, 'Too many'], [one!, 'First']), [429, 200])
  expect((await project.run('recover', '--yes')).code).toBe(0)
  expect(answersOf(load(project))).toEqual(['First'])
})

test('what a provider answered last with an error is left out', async () => {
  using project = new CliProject()
  interrupt(project, recorded([one!, 'Too many']), [429])
  const recovered = await project.run('recover', '--yes')
  expect(recovered.code).toBe(1)
  await expectGolden(spelled(recovered), 'errors-alone')
  expect(load(project)).toBeUndefined()
})

test('a recording whose test failed takes the place of the cassette', async () => {
  using project = new CliProject()
  await project.save(PATH, recorded([one!, 'Old']))
  const later = { ...recorded([three!, 'Parked']), timestamp: '2026-02-01T00:00:00.000Z' }
  project.writeTest(later)
  const parked = await storeOf(project).park(PATH, later)
  expect((await project.run('recover', '--yes')).code).toBe(0)
  expect(answersOf(load(project))).toEqual(['Parked'])
  expect(existsSync(join(project.root, parked))).toBe(false)
})

test('fewer answers than the cassette holds are added to it, and replace it only on request', async () => {
  using project = new CliProject()
  const old = recorded([one!, 'Old'], [two!, 'Old'])
  const later = { ...recorded([two!, 'Parked']), timestamp: '2026-02-01T00:00:00.000Z' }
  project.writeTest(later)
  for (const [options, name, answers] of [
    [[], 'added', ['Old', 'Parked']],
    [['--overwrite'], 'replaced', ['Parked']],
  ] as const) {
    await project.save(PATH, old)
    await storeOf(project).park(PATH, later)
    const recovered = await project.run('recover', '--yes', ...options)
    expect(recovered.code).toBe(0)
    await expectGolden(spelled(recovered), name)
    expect(answersOf(load(project))).toEqual(answers)
  }
})

test.each<[what: string, statuses: number[]]>([
  ['one that was tried again', [503, 503, 503]],
  ['what recording refuses', [404, 404, 400]],
])('no error replaces a good answer: %s', async (_, statuses) => {
  using project = new CliProject()
  await project.save(PATH, recorded([one!, 'Good']))
  const later = recorded(...statuses.map((): [Incoming, string] => [one!, 'Bad']))
  for (const [index, exchange] of later.exchanges.filter(isRecorded).entries())
    Object.assign(exchange.wire.response, { status: statuses[index] })
  project.writeTest(later)
  await storeOf(project).park(PATH, { ...later, timestamp: '2026-02-01T00:00:00.000Z' })
  const parked = await project.run('recover', '--yes')
  expect([parked.code, parked.out]).toEqual([1, expect.stringMatching(/ 3 answers .* left: /)])
  interrupt(project, later, statuses)
  expect((await project.run('recover', '--yes')).code).toBe(1)
  expect(answersOf(load(project))).toEqual(['Good'])
})

test('an attempt that is still running is left alone', async () => {
  using project = new CliProject()
  const [exchange] = recorded([one!, 'First']).exchanges.filter(isRecorded)
  openJournal(project).append({ order: 1, hash: one!.hash, ...exchange!.wire })
  using empty = new CliProject()
  const nothing = await empty.run('recover', '--yes')
  expect(await project.run('recover', '--yes')).toEqual(nothing)
  expect(journalsOf(project)).toHaveLength(1)
})

test('the frames of a socket follow each other as they did', async () => {
  using project = new CliProject()
  project.writeTest({ conversationId: ID })
  const url = 'wss://api.openai.com/v1/realtime?model=gpt-realtime'
  const journal = openJournal(project)
  const bodies = [{ kind: 'empty' as const }, frameBody(frame('a')), frameBody(frame('b'))]
  let before: Incoming | undefined
  for (const [order, body] of bodies.entries()) {
    const request = { method: order === 0 ? 'GET' : 'SEND', url, body }
    const incoming = readIncoming(request, { before })
    const { hash, after } = incoming
    const { status, headers, body: said } = framesAnswer([frame(`answer ${order}`)])
    const response = { status, headers, body: said }
    journal.append({ order, hash, after, request, response })
    before = incoming
  }
  journal.release()
  expect((await project.run('recover', '--yes')).code).toBe(0)
  const requests = load(project)!.exchanges.map(({ wire }) => wire!.request)
  expect(requests.map((request) => request.after)).toEqual([undefined, 'exchange-1', 'exchange-2'])
})

test('what cannot be read keeps nothing else back, and is named with its reason', async () => {
  using project = new CliProject()
  interrupt(project, recorded([one!, 'First']))
  writeFileSync(join(project.root, JOURNALS, 'torn.jsonl'), '{"path": "a.test')
  const parked = await storeOf(project).park(
    `other.test.ts/x-0123456789.json`,
    recorded([two!, 'x']),
  )
  writeFileSync(join(project.root, parked), '{ "version": ')
  const shown = await project.run('recover')
  const lineOf = (name: string): string =>
    spelled(shown)
      .split('\n')
      .find((line) => line.includes(name))!
  await expectGolden(lineOf('torn.jsonl'), 'torn-journal')
  // What follows is said by Node.
  await expectGolden(lineOf('456789.json').replace(/(JSON):.*/, '$1: …'), 'torn-recording')
  expect((await project.run('recover', '--yes')).code).toBe(1)
  expect(answersOf(load(project))).toEqual(['First'])
  expect(journalsOf(project)).toEqual(['torn.jsonl'])
  expect(existsSync(join(project.root, parked))).toBe(true)
})

test('one that cannot be written keeps the others from nothing, and says why in a sentence', async () => {
  using project = new CliProject()
  interrupt(project, recorded([one!, 'First']))
  const journal = openJournal(project, 'b.test.ts/asks-0123456789.json')
  const [exchange] = recorded([two!, 'Second']).exchanges.filter(isRecorded)
  journal.append({ order: 1, hash: two!.hash, ...exchange!.wire })
  journal.release()
  const save = vi.spyOn(CassetteStore.prototype, 'save')
  onTestFinished(() => save.mockRestore())
  save.mockRejectedValueOnce(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
  const { code, problems } = await project.run('recover', '--yes')
  expect(code).toBe(1)
  expect(problems).toContain(`__recordings__/${PATH} `)
  await expectGolden(problems, 'unwritten')
  expect(storeOf(project).list()).toEqual(['b.test.ts/asks-0123456789.json'])
  expect(journalsOf(project)).toHaveLength(1)
  expect((await project.run('recover', '--yes')).code).toBe(0)
  expect(answersOf(load(project))).toEqual(['First'])
})

function frame(type: string): SocketFrame {
  return { text: JSON.stringify({ type }) }
}

test('an answer that came when its test had ended goes into no cassette, and can be dismissed', async () => {
  using project = new CliProject()
  const { root } = project
  interrupt(project, recorded([one!, 'Late']), [], true)
  expect(countInterrupted(root)).toBe(0)
  const recovered = await project.run('recover', '--yes')
  expect(recovered.code).toBe(1)
  expect(recovered.problems).toContain(' recover --discard')
  await expectGolden(spelled(recovered), 'late')
  expect(load(project)).toBeUndefined()

  interrupt(project, recorded([two!, 'In time']))
  expect([ID, 'b.test.ts > asks'].map((id) => countInterrupted(root, (one) => one === id))).toEqual(
    [1, 0],
  )
  expect(journalsOf(project)).toHaveLength(2)
  await expectGolden(spelled(await project.run('recover', '--discard', '--yes')), 'discarded')
  expect(journalsOf(project)).toHaveLength(1)
  expect((await project.run('recover', '--yes')).code).toBe(0)
  expect(answersOf(load(project))).toEqual(['In time'])
})

test('a path chooses among what was left, and nothing else is touched', async () => {
  using project = new CliProject()
  const other = cassettePath({ file: 'a.test.ts', titles: ['other'], ordinal: 0 })
  await project.park(PATH, recorded([one!, 'First']))
  await project.park(other, { ...recorded([two!, 'Second']), conversationId: 'a.test.ts > other' })
  expect((await project.run('recover', 'other', '--yes')).code).toBe(0)
  expect([load(project), storeOf(project).list()]).toEqual([undefined, [other]])
  const { code, problems } = await project.run('recover', 'nobody', '--yes')
  expect(code).toBe(2)
  await expectGolden(problems, 'no-such-cassette')
  expect((await project.run('recover', '--yes')).code).toBe(0)
  expect(answersOf(load(project))).toEqual(['First'])
})

test('no cassette is written for a test file that is gone', async () => {
  using project = new CliProject()
  await project.park(PATH, recorded([one!, 'First']))
  rmSync(join(project.root, 'a.test.ts'))
  const recovered = await project.run('recover', '--yes')
  expect(recovered.code).toBe(1)
  expect(recovered.problems).toContain(' recover --discard')
  await expectGolden(spelled(recovered), 'test-file-gone')
  expect(load(project)).toBeUndefined()
})

test('a credential that the user stores as it is stays in what is recovered, of a journal and of a failed test', async () => {
  using project = new CliProject()
  project.env.ACME_API_KEY = project.env.OTHER_TOKEN = 'zQ7pX2mKv9LtR4wBn8YcD1'
  const said = recorded([one!, `It is ${project.env.ACME_API_KEY}`])
  await project.park(PATH, said)
  expect((await project.run('recover', '--yes')).out).toContain('value-of-your-environment')
  const store = storeOf(project)
  const parked = await store.park(PATH, said, ['ACME_API_KEY'])
  expect((await project.run('recover', '--yes')).code).toBe(0)
  expect(answersOf(load(project))).toEqual([`It is ${project.env.ACME_API_KEY}`])
  expect(readdirSync(dirname(join(project.root, parked)))).toEqual([])
  const other = recorded([two!, `Or ${project.env.ACME_API_KEY}`])
  const [{ prompt, wire }] = other.exchanges.filter(isRecorded) as [RecordedExchange]
  const journal = openJournal(project)
  journal.append({ order: 1, hash: prompt.hash, ...wire, keep: ['ACME_API_KEY'] })
  journal.release()
  expect((await project.run('recover', '--yes')).code).toBe(0)
  expect(answersOf(load(project))).toHaveLength(2)
})
