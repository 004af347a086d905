import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Cassette, isRecorded } from '../../../src/cassette/cassette.ts'
import { cassettePath, conversationId } from '../../../src/cassette/paths.ts'
import type { Finding } from '../../../src/tools/verify/verify-cassettes.ts'
import { recordAgent } from '../../conversation/example-agent.ts'
import { chatWire } from '../../conversation/example-wires.ts'
import { CliProject } from '../run-cli.ts'

const PLACE = { file: 'agent.test.ts', titles: ['answers'], ordinal: 0 }
const PATH = cassettePath(PLACE)
const FILE = `__recordings__/${PATH}`
const LONG = 'The order was handed to the carrier, who lost it. '.repeat(20).trim()

/** A project with a test file and its cassette, whose last answer the wire half takes from the readable half. */
async function openProject(): Promise<CliProject> {
  const project = new CliProject()
  writeFileSync(join(project.root, 'agent.test.ts'), '')
  const turn = { question: 'Where is it?', arguments: { order: 7 }, result: 'lost', answer: LONG }
  const cassette = recordAgent(chatWire, [turn])
  await project.save(PATH, { ...cassette, conversationId: conversationId(PLACE) })
  return project
}

function edit(project: CliProject, change: (text: string) => string, file: string = FILE): void {
  const path = join(project.root, file)
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error('the edit changes nothing')
  writeFileSync(path, changed)
}

test('what was recorded and not touched passes', async () => {
  using project = await openProject()
  expect(await project.run('verify')).toEqual({
    code: 0,
    out: '1 cassette, 2 exchanges, 0 blobs: no problem\n',
    problems: '',
  })
})

test('a cassette that the option maxCassetteBytes may allow is read', async () => {
  using project = await openProject()
  edit(project, (text) => text + ' '.repeat(33 * 1024 * 1024))
  const { out } = await project.run('list', '--json')
  expect(JSON.parse(out)).toMatchObject([{ exchanges: 2 }])
})

test.for<[title: string, from: string | RegExp, to: string, found: RegExp]>([
  [
    'a text for reviewers',
    'user: Where is it?',
    'user: Who is it?',
    /readable-half {2}\/exchanges\/0\/prompt\/text: It shows ".*Who is it\?", but the half .* says ".*Where is it\?"/,
  ],
  [
    'the arguments of a call for reviewers',
    '"order": 7',
    '"order": 8',
    /readable-half {2}\/exchanges\/0\/response\/tool_calls\/0\/parameters/,
  ],
  [
    'the arguments of the call that is replayed',
    /\{\\"order\\":7\}(?=.*"finish)/s,
    String.raw`{\"order\":8}`,
    /answer-hash {2}\/exchanges\/0\/wire\/response: The answer was edited after it was recorded. It calls work\(\{"order":8\}\)/,
  ],
  [
    'an answer that is written once, in the readable half',
    'lost it. The',
    'LOST it. The',
    /answer-hash {2}\/exchanges\/1\/wire\/response: The answer was edited/,
  ],
  ['the hash of an answer', /,"answer":"sha256-[0-9a-f]{32}"/, '', /answer-hash .* has no hash/],
  [
    'the request that is matched',
    '"content": "Be kind."',
    '"content": "Be evil."',
    /prompt-hash {2}\/exchanges\/0\/prompt\/hash: The hash is not that of the recorded request/,
  ],
  ['the hash of a prompt', /"prompt":"sha256-[0-9a-f]{4}/, '"prompt":"sha256-0000', /prompt-hash/],
  [
    'a field by naming it twice',
    '"text": "system',
    '"text": "Why?", "text": "system',
    /json:\d+ {2}form {2}From this line on/,
  ],
  [
    'a text by what nobody sees',
    'Where is',
    'Where\u202e is',
    /json:\d+ {2}form {2}The line holds invisible characters: <U\+202E>/,
  ],
  [
    'a key pasted into a field',
    '"metadata": {',
    `"metadata": { "note": "gsk${'_'}${'aB3'.repeat(17)}c",`,
    /secrets {2}\/exchanges\/0\/prompt\/metadata\/note: It looks like a credential, gsk_aB… \(56 characters\)/,
  ],
  ['the layout', '  "version"', '    "version"', /json:3 {2}form {2}A formatter/],
  [
    'an id',
    /exchange-2/g,
    'exchange-1',
    /ids {2}\/exchanges\/1\/id: Two exchanges are called exchange-1/,
  ],
  [
    'the merge of two branches',
    '  "exchanges"',
    '<<<<<<< HEAD\n  "exchanges"',
    /unreadable {2}Line \d+ is a merge conflict marker; .* record the test again/,
  ],
])('an edit of %s is named', async ([, from, to, found]) => {
  using project = await openProject()
  edit(project, (text) => text.replace(from, to))
  const { code, out } = await project.run('verify')
  expect(out).toMatch(found)
  expect(code).toBe(1)
})

test('line ends that git converted are a warning, and no hash changes', async () => {
  using project = await openProject()
  edit(project, (text) => text.replaceAll('\n', '\r\n'))
  const { code, out } = await project.run('verify')
  expect(code).toBe(0)
  expect(out).toBe(
    `${FILE}  form  Its lines end in CRLF, which changes no hash. Let git keep the file as it is with: npx vitest-cassette init --yes\n` +
      '1 cassette, 2 exchanges, 0 blobs: 1 warning\n',
  )
})

test('a test file that changed the case of its name is named', async () => {
  using project = await openProject()
  renameSync(join(project.root, 'agent.test.ts'), join(project.root, 'Agent.test.ts'))
  const { code, out } = await project.run('verify')
  expect(code).toBe(1)
  expect(out).toMatch(
    /answers-\w+\.json {2}test-files {2}Its test file is spelled Agent\.test\.ts,/,
  )
})

test('what lies in the folder and should not is named', async () => {
  using project = await openProject()
  const folder = join(project.root, '__recordings__')
  mkdirSync(join(folder, 'blobs'))
  writeFileSync(join(folder, 'blobs', 'old.png'), 'x')
  symlinkSync('/etc/passwd', join(folder, 'agent.test.ts/linked-0123456789.json'))
  renameSync(join(project.root, 'agent.test.ts'), join(project.root, 'moved.test.ts'))
  writeFileSync(join(folder, 'agent.test.ts', 'Answers-0123456789.json'), '{}')
  const { code, out } = await project.run('verify')
  expect(code).toBe(1)
  expect(out).toMatch(/linked-0123456789.json {2}links {2}It is a symbolic link/)
  expect(out).toMatch(/answers-\w+\.json {2}test-files {2}Its test file agent.test.ts is gone/)
  expect(out).toMatch(/Answers-0123456789.json {2}paths {2}No test has a cassette of this name/)
  // One cassette cannot be read, so that nobody knows what it refers to.
  expect(out).not.toContain('unused-blobs')
  rmSync(join(folder, 'agent.test.ts', 'Answers-0123456789.json'))
  expect((await project.run('verify')).out).toMatch(/blobs\/old.png {2}unused-blobs {2}No cassette/)
})

test('paths limit what is looked at', async () => {
  using project = await openProject()
  await project.save('b.test.ts/x-0123456789.json', recordAgent(chatWire, []))
  expect((await project.run('verify', FILE)).code).toBe(0)
  expect((await project.run('verify', '__recordings__/agent.test.ts')).out).toMatch(/^1 cassette/)
  const { code, out } = await project.run('verify', '__recordings__/b.test.ts')
  expect(out).toMatch(
    /^__recordings__\/b\.test\.ts\/x-0123456789\.json:4 {2}title .*\n.*json {2}test-files .*\n1 cassette/,
  )
  expect(code).toBe(1)
  expect(await project.run('verify', 'elsewhere.json')).toMatchObject({
    code: 2,
    problems: 'elsewhere.json is not in __recordings__.\n',
  })
})

test('a folder that is not there is a wrong command line, so that CI cannot pass by looking elsewhere', async () => {
  using project = await openProject()
  expect((await project.run('verify', '--dir', 'recordings')).code).toBe(2)
})

test('--json writes data', async () => {
  using project = await openProject()
  edit(project, (text) => text.replace('Where is', '##[error]Where is'))
  const { code, out } = await project.run('verify', '--json')
  expect(code).toBe(1)
  expect(out).not.toContain('##[')
  expect(JSON.parse(out)).toMatchObject({
    cassettes: 1,
    exchanges: 2,
    findings: [
      { check: 'readable-half', severity: 'error', file: FILE, place: '/exchanges/0/prompt/text' },
      { check: 'file-hash', severity: 'error', file: FILE, place: '/file_hash' },
    ],
  })
})

test('in GitHub Actions, findings are annotations and a summary of the job', async () => {
  using project = await openProject()
  const summary = join(project.root, 'summary.md')
  Object.assign(project.env, {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_WORKSPACE: join(project.root, '..'),
  })
  edit(project, (text) => text.replace('Where is', String.raw`\n::error::100%, <b>|Where is`))
  const { out } = await project.run('verify')
  const commands = out.split('\n').filter((line) => line.trimStart().startsWith('::'))
  expect(commands).toHaveLength(2)
  const folder = project.root.split('/').at(-1)
  expect(commands[0]).toMatch(
    new RegExp(
      `^::error file=${folder}/${FILE},line=\\d+,title=vitest-cassette verify%3A readable-half::`,
    ),
  )
  expect(commands[0]).toContain(String.raw`\n::error::100%25, <b>|Where`)
  const markdown = readFileSync(summary, 'utf8')
  expect(markdown).toContain('2 exchanges, 0 blobs: 2 problems')
  expect(markdown).toContain('&#60;b&#62;&#124;Where')
})

test('what a person wrote passes in their own layout, and hides nothing', async () => {
  using project = await openProject()
  const head = '"version":"1.0","conversation_id":"c","timestamp":"2026-01-01T00:00:00Z"'
  const write = (prompt: string): void =>
    writeFileSync(
      join(project.root, FILE),
      `{${head},\n\t"exchanges":[{"prompt": ${prompt},\n\t"response": {"text": "Hi."}}]}`,
    )
  write('{ "text": "Hello?" }')
  expect(await project.run('verify')).toMatchObject({ code: 0, problems: '' })
  write('{ "text": "Hello?", "text": "Good bye?" }')
  expect((await project.run('verify')).out).toContain('It names a field twice')
  write('{ "text": "Hel\u200blo?" }')
  expect((await project.run('verify')).out).toMatch(
    /json:2 +form +The line holds invisible characters/,
  )
})

/** Marks the first answer as kept for a changed prompt. */
const keep = ({ exchanges, ...cassette }: Cassette): Cassette => ({
  ...cassette,
  exchanges: exchanges.map((exchange, index) =>
    index === 0 && isRecorded(exchange)
      ? { ...exchange, response: { ...exchange.response, kept: true as const } }
      : exchange,
  ),
})

test('a kept answer names the command of its own test or program, and fails where that is asked for', async () => {
  using project = await openProject()
  const turn = { question: 'Where is it?', arguments: { order: 7 }, result: 'lost', answer: LONG }
  const cassette = keep(recordAgent(chatWire, [turn]))
  await project.save(PATH, { ...cassette, conversationId: conversationId(PLACE) })
  const program = 'test_agent-py-test_sun.json'
  await project.save(program, { ...cassette, conversationId: `__recordings__/${program}` })
  const warned = await project.run('verify', '--json')
  expect(warned.code).toBe(0)
  const { findings } = JSON.parse(warned.out) as { findings: Finding[] }
  const said = findings.filter(({ check }) => check === 'kept-answers')
  const wayOf = (part: string) => said.find(({ file }) => file.includes(part))?.problem
  expect(wayOf(PATH)).toMatch(/: npx vitest-cassette record --kept agent\.test\.ts$/)
  expect(wayOf(program)).toMatch(/put RECORD=1 before the command of its program/)
  expect(wayOf(program)).not.toContain('vitest-cassette')
  expect((await project.run('verify', '--kept', 'warn')).code).toBe(0)
  expect((await project.run('verify', '--kept', 'fail')).code).toBe(1)
  const wrong = await project.run('verify', '--kept', 'no')
  expect(wrong).toMatchObject({ code: 2, problems: expect.stringContaining('warn or fail') })
})
