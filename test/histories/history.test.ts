import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/prompt/sha256.ts'
import { CliProject } from '../tools/run-cli.ts'
import { recordAgent } from '../conversation/example-agent.ts'
import { agentWires } from '../conversation/example-wires.ts'
import { openExample } from '../engine/example-session.ts'
import { CassetteStore } from '../../src/cassette/store.ts'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { readIncoming } from '../../src/engine/incoming.ts'
import { judged, nextOrder } from '../engine/written-file.ts'
import { HISTORY } from './documents.ts'

const TEST = 'frank.test.ts > answers'

interface Written {
  version: string
  exchanges: Array<{ id: string; prompt: { text: string; hash: string; metadata: object } }>
}

const example = JSON.parse(HISTORY) as Written
const TEXT = example.exchanges[0]!.prompt.text
const OURS = `sha256-${sha256(TEXT)}`

function write(project: CliProject, file: string, value: unknown): void {
  mkdirSync(dirname(join(project.root, file)), { recursive: true })
  writeFileSync(
    join(project.root, file),
    typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  )
}

function read<T>(project: CliProject, file: string): T {
  return JSON.parse(readFileSync(join(project.root, file), 'utf8')) as T
}

function withHash(hash: string, version = '1.0'): Written {
  const [first] = example.exchanges
  return { ...example, version, exchanges: [{ ...first!, prompt: { ...first!.prompt, hash } }] }
}

test.for([
  ['a placeholder', 'sha256-hash-of-prompt-for-verification', 'is none'],
  ['bare hex', sha256(TEXT), 'is now spelled'],
  ['capitals', `SHA256:${sha256(TEXT).toUpperCase()}`, 'is now spelled'],
  ['base64', `sha256-${Buffer.from(sha256(TEXT), 'hex').toString('base64')}`, 'is now spelled'],
  ['the hash of something else', sha256('else'), 'is not that of its text'],
  ['our spelling of something else', `sha256-${sha256('else')}`, 'is not that of its text'],
])('%s is replaced by our hash, and a sentence says so', async ([, hash, said]) => {
  using project = new CliProject()
  write(project, 'talk.json', withHash(hash!))
  const { code, out, problems } = await project.run('import', 'talk.json', '--test', TEST)
  expect(problems).toContain(`talk.json: exchange-1: the hash "${hash!.slice(0, 50)}`)
  expect(problems).toContain(said)
  expect(problems).toContain(OURS)
  expect(code).toBe(0)
  expect(read<Written>(project, out.trim()).exchanges[0]!.prompt.hash).toBe(OURS)
})

test('our own hash needs no sentence, and in our own version it may be that of a whole request', async () => {
  using project = new CliProject()
  write(project, 'talk.json', withHash(OURS))
  write(project, 'own.json', withHash(`sha256-${sha256('a request')}`, '1.2'))
  const { problems } = await project.run('import', 'talk.json', '--test', TEST)
  expect(problems).not.toContain('hash "')
  const { out } = await project.run('import', 'own.json', '--test', 'own.test.ts > a')
  const [{ prompt }] = read<Written>(project, out.trim()).exchanges as [Written['exchanges'][0]]
  expect(prompt.hash).toBe(`sha256-${sha256('a request')}`)
})

test('show says what is not compared, unless a hash covers the whole request', async () => {
  using project = new CliProject()
  const file = '__recordings__/frank.test.ts/answers-0123456789.json'
  write(project, file, withHash(OURS))
  expect((await project.run('show', 'answers')).out).toContain('Not compared, since')
  write(project, file, withHash(sha256('a request')))
  expect((await project.run('show', 'answers')).out).not.toContain('Not compared')
})

test('a refused hash in the place of a cassette is replaced, in a file of our own version, too', async () => {
  using project = new CliProject()
  const file = '__recordings__/frank.test.ts/answers-0123456789.json'
  write(project, file, withHash(`sha256-${sha256('a request')}`, '1.2'))
  const { problems } = await project.run('import', file, '--force')
  expect(problems).toContain('is not that of its text')
  expect(read<Written>(project, file).exchanges[0]!.prompt.hash).toBe(OURS)
})

test('hash prints the hash that each prompt of a file has', async () => {
  using project = new CliProject()
  write(project, 'talk.json', HISTORY)
  const { code, out } = await project.run('hash', 'talk.json')
  expect(code).toBe(0)
  const second = sha256(example.exchanges[1]!.prompt.text)
  expect(out).toBe(
    `exchange-1  ${OURS}  "${TEXT}"\n` +
      `exchange-2  sha256-${second}  "Follow-up prompt including previous context"\n`,
  )
})

test.for<[what: string, change: object, said: string]>([
  ['no exchange', { exchanges: [] }, 'its list of exchanges is empty; there is nothing to replay'],
  [
    'two exchanges of one id',
    { exchanges: [example.exchanges[0], example.exchanges[0]] },
    'exchanges 1 and 2 are both called exchange-1',
  ],
  ['a version of the future', { version: '2.0' }, 'its format has version 2.0, and this release'],
  ['a version that is a number', { version: 1 }, 'at /version: expected string'],
  [
    'the actions of an agent in the place of prompts',
    { version: undefined, exchanges: undefined, metadata: { version: '0.1' }, trajectory: [] },
    'It holds the actions of an agent, and no prompt that a request could be compared with. Record the test once',
  ],
  ['a day that no calendar has', { timestamp: '2023-02-30T12:00:00Z' }, 'at /timestamp'],
])('a file with %s is refused, and the message says exactly that', async ([, change, said]) => {
  using project = new CliProject()
  write(project, 'talk.json', { ...example, ...change })
  const { code, problems } = await project.run('import', 'talk.json', '--test', TEST)
  expect(problems).toContain('talk.json cannot be read: ')
  expect(problems).toContain(said)
  expect(problems).not.toContain('git')
  expect(code).not.toBe(0)
})

test('a date with a zone is turned into ours', async () => {
  using project = new CliProject()
  write(project, 'talk.json', { ...example, timestamp: '2023-06-15T14:30:00+02:00' })
  const { out, problems } = await project.run('import', 'talk.json', '--test', TEST)
  expect(problems).toContain('2023-06-15T12:30:00.000Z')
  expect(read<{ timestamp: string }>(project, out.trim()).timestamp).toBe(
    '2023-06-15T12:30:00.000Z',
  )
})

test('a file that names no test is not imported for none', async () => {
  using project = new CliProject()
  write(project, 'talk.json', HISTORY)
  const { code, problems } = await project.run('import', 'talk.json')
  expect(problems).toContain("Say it with: --test '<file> > <title>'")
  expect(code).toBe(2)
})

test('a foreign file in the place of a cassette is put right there, by the command that its refusal names', async () => {
  using project = new CliProject()
  const file = '__recordings__/frank.test.ts/answers-0123456789.json'
  write(project, file, { ...example, timestamp: '2023-06-15T14:30:00+02:00' })
  const refused = await project.run('show', 'answers')
  expect(refused.problems).not.toContain('git')
  expect(refused.problems).toContain(`npx vitest-cassette history import ${file} --force`)
  const { code, out } = await project.run('import', file, '--force')
  expect(out).toBe(`${file}\n`)
  expect(code).toBe(0)
  expect((await project.run('show', 'answers')).code).toBe(0)
  expect(read<object>(project, file)).toMatchObject({
    conversation_id: 'frank.test.ts > answers',
    exchanges: [{ prompt: { hash: OURS } }, {}],
  })
})

const turn = {
  question: 'Where is it?',
  arguments: { order: 7 },
  result: 'Bern',
  answer: 'In Bern.',
}

test.each(agentWires)('a recording over $name is a history, which comes back', async (wire) => {
  using project = new CliProject()
  const cassette = recordAgent(wire, [turn, { ...turn, question: 'Line one\n'.repeat(20) }])
  await project.save('frank.test.ts/answers-0123456789.json', cassette)
  const { out } = await project.run('export', 'answers', '--out', 'out', '--format', 'history')
  const history = read<Written>(project, out.trim())
  expect(Object.keys(history)).toEqual(['version', 'conversation_id', 'timestamp', 'exchanges'])
  expect(history.version).toBe('1.0')
  for (const exchange of history.exchanges) {
    expect(Object.keys(exchange)).toEqual(['id', 'prompt', 'response'])
    const { prompt } = exchange
    expect(Object.keys(prompt)).toEqual(['text', 'hash', 'metadata'])
    expect(prompt.hash).toBe(`sha256-${sha256(prompt.text)}`)
    expect(JSON.stringify(exchange)).not.toContain('$')
  }
  const { problems, out: path } = await project.run('import', out.trim(), '--test', TEST)
  expect(problems).not.toContain('hash')
  const back = load(project, path)
  const session = openExample(back)
  for (const { wire } of cassette.exchanges) {
    const answer = session.answer(readIncoming(wire!.request), { order: nextOrder() })
    expect(answer.action).toBe('replay')
  }
  expect(judged(session)).toEqual({})
  expect(back.exchanges.map(({ response: { text, tool_calls: calls } }) => [text, calls])).toEqual(
    cassette.exchanges.map(({ response: { text, tool_calls: calls } }) => [text, calls]),
  )
})

test('what has parameters is written with their examples', async () => {
  using project = new CliProject()
  const asks = { ...turn, question: 'Where is {{orderId}}?', arguments: { id: '{{orderId}}' } }
  const cassette = { ...recordAgent(agentWires[0]!, [asks]), params: { orderId: 'ord-77' } }
  await project.save('frank.test.ts/answers-0123456789.json', cassette)
  const { out } = await project.run('show', 'answers', '--format', 'history')
  const [first] = (JSON.parse(out) as Written).exchanges
  expect(first).toMatchObject({
    prompt: { text: 'Where is ord-77?', hash: `sha256-${sha256('Where is ord-77?')}` },
    response: { tool_calls: [{ parameters: { id: 'ord-77' } }] },
  })
})

test('what words cannot say is left out, and named', async () => {
  using project = new CliProject()
  const cassette = recordAgent(agentWires[0]!, [turn])
  const { request } = cassette.exchanges[0]!.wire!
  cassette.exchanges[0]!.wire!.request = {
    ...request,
    url: 'https://api.openai.com/v1/images/generations',
  }
  await project.save('frank.test.ts/answers-0123456789.json', cassette)
  const { out, problems } = await project.run('show', 'answers', '--format', 'history')
  expect(problems).toContain('a history has words alone, so it is without exchange-1.')
  expect((JSON.parse(out) as Written).exchanges.map(({ id }) => id)).toEqual(['exchange-2'])
})

function load(project: CliProject, path: string): Cassette {
  return new CassetteStore(project.root, '.', 1e9).load(path.trim())!
}
