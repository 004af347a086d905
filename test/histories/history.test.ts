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
import { expectGolden } from '../golden.ts'
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

const hashes: Array<[what: string, hash: string]> = [
  ['a placeholder', 'sha256-hash-of-prompt-for-verification'],
  ['bare hex', sha256(TEXT)],
  ['capitals', `SHA256:${sha256(TEXT).toUpperCase()}`],
  ['base64', `sha256-${Buffer.from(sha256(TEXT), 'hex').toString('base64')}`],
  ['the hash of something else', sha256('else')],
  ['our spelling of something else', `sha256-${sha256('else')}`],
]

test.for(hashes)('%s is replaced by our hash, and a sentence says so', async ([, hash]) => {
  using project = new CliProject()
  write(project, 'talk.json', withHash(hash))
  const { code, out, problems } = await project.run('import', 'talk.json', '--test', TEST)
  expect(problems).toContain(`"${hash.slice(0, 50)}`)
  expect(problems).toContain(OURS)
  expect(code).toBe(0)
  expect(read<Written>(project, out.trim()).exchanges[0]!.prompt.hash).toBe(OURS)
})

test('each replaced hash has a reason', async () => {
  let all = ''
  for (const [what, hash] of hashes) {
    using project = new CliProject()
    write(project, 'talk.json', withHash(hash))
    const { problems } = await project.run('import', 'talk.json', '--test', TEST)
    all += `# ${what}\n${problems}\n`
  }
  await expectGolden(all, 'replaced-hashes')
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
  const note = (await project.run('show', 'answers')).out.trim().split('\n').at(-1)!
  await expectGolden(note, 'not-compared')
  write(project, file, withHash(sha256('a request')))
  expect((await project.run('show', 'answers')).out).not.toContain(note)
})

test('a refused hash in the place of a cassette is replaced, in a file of our own version, too', async () => {
  using project = new CliProject()
  const file = '__recordings__/frank.test.ts/answers-0123456789.json'
  write(project, file, withHash(`sha256-${sha256('a request')}`, '1.2'))
  const { problems } = await project.run('import', file, '--force')
  for (const hash of [sha256('a request').slice(0, 40), OURS]) expect(problems).toContain(hash)
  expect(read<Written>(project, file).exchanges[0]!.prompt.hash).toBe(OURS)
})

test('hash prints the hash that each prompt of a file has', async () => {
  using project = new CliProject()
  write(project, 'talk.json', HISTORY)
  const { code, out } = await project.run('history', 'hash', 'talk.json')
  expect(code).toBe(0)
  const second = sha256(example.exchanges[1]!.prompt.text)
  expect(out).toBe(
    `exchange-1  ${OURS}  "${TEXT}"\n` +
      `exchange-2  sha256-${second}  "Follow-up prompt including previous context"\n`,
  )
})

const unreadable: Array<[what: string, change: object, named: string]> = [
  ['no exchange', { exchanges: [] }, 'empty'],
  [
    'two exchanges of one id',
    { exchanges: [example.exchanges[0], example.exchanges[0]] },
    'exchange-1',
  ],
  ['a version of the future', { version: '3.0' }, ' 3.0'],
  ['a version that is a number', { version: 1 }, 'at /version: '],
  [
    'actions of an agent and no prompts',
    { version: undefined, exchanges: undefined, metadata: { version: '0.1' }, trajectory: [] },
    'npx vitest-cassette record',
  ],
  ['a day that no calendar has', { timestamp: '2023-02-30T12:00:00Z' }, 'at /timestamp'],
]

test.for(unreadable)(
  'a file with %s is refused, and the message says exactly that',
  async ([, change, named]) => {
    using project = new CliProject()
    write(project, 'talk.json', { ...example, ...change })
    const { code, problems } = await project.run('import', 'talk.json', '--test', TEST)
    expect(problems).toContain('talk.json ')
    expect(problems).toContain(named)
    expect(problems).not.toContain('git')
    expect(code).not.toBe(0)
  },
)

test('each file that is refused has a reason and a way out', async () => {
  let all = ''
  for (const [what, change] of unreadable) {
    using project = new CliProject()
    write(project, 'talk.json', { ...example, ...change })
    const { problems } = await project.run('import', 'talk.json', '--test', TEST)
    all += `# ${what}\n${problems}\n`
  }
  await expectGolden(all, 'refused-files')
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
  expect(problems).toContain("--test '<file> >")
  await expectGolden(problems, 'no-test')
  expect(code).toBe(2)
})

test('a foreign file in the place of a cassette is put right there, by the command that its refusal names', async () => {
  using project = new CliProject()
  const file = '__recordings__/frank.test.ts/answers-0123456789.json'
  write(project, file, { ...example, timestamp: '2023-06-15T14:30:00+02:00' })
  const refused = await project.run('show', 'answers')
  expect(refused.problems).not.toContain('git')
  expect(refused.problems).toContain(`history import ${file} --force`)
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
  const { out } = await project.run(
    'history',
    'export',
    'answers',
    '--out',
    'out',
    '--format',
    'history',
  )
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
  await expectGolden(problems, 'without-an-exchange')
  expect((JSON.parse(out) as Written).exchanges.map(({ id }) => id)).toEqual(['exchange-2'])
})

function load(project: CliProject, path: string): Cassette {
  return new CassetteStore(project.root, '.', 1e9).load(path.trim())!
}
