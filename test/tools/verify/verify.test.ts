import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Cassette, isRecorded } from '../../../src/cassette/cassette.ts'
import { cassettePath, conversationId } from '../../../src/cassette/paths.ts'
import type { Finding } from '../../../src/tools/verify/verify-cassettes.ts'
import { recordAgent } from '../../conversation/example-agent.ts'
import { chatWire } from '../../conversation/example-wires.ts'
import { expectGolden } from '../../golden.ts'
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
  const { code, out, problems } = await project.run('verify')
  expect({ code, problems }).toEqual({ code: 0, problems: '' })
  await expectGolden(out, 'untouched')
  const json = JSON.parse((await project.run('verify', '--json')).out) as object
  expect(json).toEqual({ cassettes: 1, exchanges: 2, blobs: 0, findings: [] })
})

test('a cassette that the option maxCassetteBytes may allow is read', async () => {
  using project = await openProject()
  edit(project, (text) => text + ' '.repeat(33 * 1024 * 1024))
  const { out } = await project.run('show', '--json')
  expect(JSON.parse(out)).toMatchObject([{ exchanges: 2 }])
})

/** Runs `verify --json`. */
async function findingsIn(project: CliProject): Promise<{ code: number; findings: Finding[] }> {
  const { code, out } = await project.run('verify', '--json')
  return { code, ...(JSON.parse(out) as { findings: Finding[] }) }
}

/** The lines of a check in the output of `verify`. */
async function linesOf(check: string, project: CliProject): Promise<string> {
  const { out } = await project.run('verify')
  return out
    .split('\n')
    .filter((line) => line.includes(`  ${check}  `))
    .join('\n')
}

const naming = (...pieces: string[]): unknown =>
  expect.toSatisfy((text: string) => pieces.every((piece) => text.includes(piece)))

const EDITS: Array<
  [
    title: string,
    from: string | RegExp,
    to: string,
    found: { check: string; [key: string]: unknown },
  ]
> = [
  [
    'a text for reviewers',
    'tool: lost',
    'tool: found',
    {
      check: 'readable-half',
      place: '/exchanges/1/prompt/text',
      problem: naming('tool: found', 'tool: lost'),
    },
  ],
  [
    'the arguments that reviewers see',
    '"order": 7',
    '"order": 8',
    { check: 'readable-half', place: '/exchanges/0/response/tool_calls/0/parameters' },
  ],
  [
    'the arguments that are replayed',
    /\{\\"order\\":7\}(?=.*"finish_reason")/,
    String.raw`{\"order\":8}`,
    {
      check: 'answer-hash',
      place: '/exchanges/0/response',
      problem: naming('work({"order":8})'),
    },
  ],
  [
    'an answer that is written once, in the readable half',
    'lost it. The',
    'LOST it. The',
    { check: 'answer-hash', place: '/exchanges/1/response' },
  ],
  [
    'the hash of an answer',
    /(?<="hashes": \["[\w-]+\.[\w-]*\.)[\w-]+/,
    '',
    { check: 'answer-hash' },
  ],
  [
    'the request that is matched',
    '"content": "Be kind."',
    '"content": "Be evil."',
    { check: 'prompt-hash', place: '/exchanges/0/request' },
  ],
  ['the hash of a prompt', /(?<="hashes": \[")[\w-]{4}/, '0000', { check: 'prompt-hash' }],
  [
    'a field by naming it twice',
    '"text": "Where',
    '"text": "Why?", "text": "Where',
    { check: 'unreadable', problem: naming('Line 9', '"text"') },
  ],
  [
    'a text by what nobody sees',
    'Where is',
    'Where\u202e is',
    { check: 'form', line: expect.any(Number), problem: naming('<U+202E>') },
  ],
  [
    'a key pasted into a field',
    '"metadata": {',
    `"metadata": { "note": "gsk${'_'}${'aB3'.repeat(17)}c",`,
    {
      check: 'secrets',
      place: '/exchanges/0/prompt/metadata/note',
      problem: naming('gsk_aB…', '56'),
    },
  ],
  [
    'the layout',
    '  "version"',
    '    "version"',
    { check: 'form', line: 3, problem: naming('verify --fix-layout') },
  ],
  [
    'an id',
    /exchange-2/g,
    'exchange-1',
    {
      check: 'unreadable',
      place: '/exchanges/1/id',
      line: expect.any(Number),
      problem: naming('exchange-1'),
    },
  ],
  [
    'the merge of two branches',
    '  "exchanges"',
    '<<<<<<< HEAD\n  "exchanges"',
    { check: 'unreadable' },
  ],
]

test.for(EDITS)('an edit of %s is named', async ([, from, to, found]) => {
  using project = await openProject()
  edit(project, (text) => text.replace(from, to))
  const { code, findings } = await findingsIn(project)
  expect(findings).toContainEqual(
    expect.objectContaining({ file: FILE, severity: 'error', ...found }),
  )
  expect(code).toBe(1)
})

test('the line of a finding says what was edited', async () => {
  const texts: string[] = []
  for (const [title, from, to, { check }] of EDITS) {
    using project = await openProject()
    edit(project, (text) => text.replace(from, to))
    texts.push(`${title}\n${await linesOf(check, project)}`)
  }
  await expectGolden(texts.join('\n\n'), 'edits')
})

test('line ends that git converted are a warning, and no hash changes', async () => {
  using project = await openProject()
  edit(project, (text) => text.replaceAll('\n', '\r\n'))
  const { code, findings } = await findingsIn(project)
  expect(code).toBe(0)
  expect(findings).toEqual([
    { check: 'form', severity: 'warning', file: FILE, problem: naming('CRLF') },
  ])
  await expectGolden((await project.run('verify')).out, 'crlf')
})

test('a test file that changed the case of its name is named', async () => {
  using project = await openProject()
  renameSync(join(project.root, 'agent.test.ts'), join(project.root, 'Agent.test.ts'))
  const { code, findings } = await findingsIn(project)
  expect(code).toBe(1)
  expect(findings).toMatchObject([
    { check: 'test-files', file: FILE, problem: naming('Agent.test.ts') },
  ])
  await expectGolden(await linesOf('test-files', project), 'test-file-in-another-case')
})

test('what lies in the folder and should not is named', async () => {
  using project = await openProject()
  const folder = join(project.root, '__recordings__')
  mkdirSync(join(folder, 'blobs'))
  writeFileSync(join(folder, 'blobs', 'old.png'), 'x')
  symlinkSync('/etc/passwd', join(folder, 'agent.test.ts/linked-0123456789.json'))
  renameSync(join(project.root, 'agent.test.ts'), join(project.root, 'moved.test.ts'))
  writeFileSync(join(folder, 'agent.test.ts', 'Answers-0123456789.json'), '{}')
  const { code, findings } = await findingsIn(project)
  expect(code).toBe(1)
  const checksOf = (file: string): string[] =>
    findings.filter((one) => one.file === `__recordings__/${file}`).map(({ check }) => check)
  expect(checksOf('agent.test.ts/linked-0123456789.json')).toContain('links')
  expect(checksOf(PATH)).toContain('test-files')
  expect(checksOf('agent.test.ts/Answers-0123456789.json')).toContain('paths')
  // One cassette cannot be read, so that nobody knows what it refers to.
  expect(findings.map(({ check }) => check)).not.toContain('unused-blobs')
  const checks = ['links', 'test-files', 'paths']
  const texts = await Promise.all(checks.map((check) => linesOf(check, project)))
  rmSync(join(folder, 'agent.test.ts', 'Answers-0123456789.json'))
  const unused = { check: 'unused-blobs', file: '__recordings__/blobs/old.png' }
  expect((await findingsIn(project)).findings).toContainEqual(expect.objectContaining(unused))
  texts.push(await linesOf('unused-blobs', project))
  await expectGolden(texts.join('\n'), 'out-of-place')
})

test('cassettes that differ in case alone are named, as some systems keep one of them', async () => {
  using project = new CliProject()
  const paths = ['agent', 'Agent'].map((name) => `${name}.test.ts/answers-0123456789.json`)
  for (const path of paths) await project.save(path, recordAgent(chatWire, []))
  const { code, findings } = await findingsIn(project)
  expect(code).toBe(1)
  const named = findings.filter(({ check }) => check === 'paths').map(({ file }) => file)
  expect(named).toHaveLength(1)
  expect(paths.map((path) => `__recordings__/${path}`)).toContain(named[0])
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
  const elsewhere = await project.run('verify', 'elsewhere.json')
  expect(elsewhere.code).toBe(2)
  await expectGolden(elsewhere.problems, 'path-elsewhere')
})

test('a folder that is not there is a wrong command line, so that CI cannot pass by looking elsewhere', async () => {
  using project = await openProject()
  expect((await project.run('verify', '--dir', 'recordings')).code).toBe(2)
})

test('--json writes data', async () => {
  using project = await openProject()
  edit(project, (text) => text.replace('tool: lost', 'tool: ##[error]lost'))
  const { code, out } = await project.run('verify', '--json')
  expect(code).toBe(1)
  expect(out).not.toContain('##[')
  expect(JSON.parse(out)).toMatchObject({
    cassettes: 1,
    exchanges: 2,
    findings: [
      { check: 'readable-half', severity: 'error', file: FILE, place: '/exchanges/1/prompt/text' },
      { check: 'seal', severity: 'error', file: FILE, place: '/seal' },
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
  edit(project, (text) => text.replace('tool: lost', String.raw`tool: \n::error::100%, <b>|lost`))
  const { out } = await project.run('verify')
  const commands = out.split('\n').filter((line) => line.trimStart().startsWith('::'))
  expect(commands).toHaveLength(2)
  const folder = project.root.split('/').at(-1)
  expect(commands[0]).toMatch(new RegExp(`^::error file=${folder}/${FILE},line=\\d+,title=`))
  expect(commands[0]).toContain('readable-half::')
  expect(commands[0]).toContain(String.raw`\n::error::100%25, <b>|lost`)
  const markdown = readFileSync(summary, 'utf8')
  expect(markdown).toContain('2 problems')
  expect(markdown).toContain('&#60;b&#62;&#124;lost')
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
  const [twice] = (await findingsIn(project)).findings
  expect(twice).toMatchObject({ check: 'unreadable', file: FILE })
  await expectGolden(twice!.problem, 'field-twice')
  write('{ "text": "Hel\u200blo?" }')
  expect((await findingsIn(project)).findings).toContainEqual(
    expect.objectContaining({ check: 'form', line: 2, problem: naming('<U+200B>') }),
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
  expect(wayOf(PATH)).toMatch(/ npx vitest-cassette record --kept agent\.test\.ts$/)
  expect(wayOf(program)).toContain('RECORD=1')
  expect(wayOf(program)).not.toContain('vitest-cassette')
  await expectGolden(`${wayOf(PATH)}\n\n${wayOf(program)}`, 'kept')
  expect((await project.run('verify', '--fail-on', 'invalid')).code).toBe(0)
  expect((await project.run('verify', '--fail-on', 'kept')).code).toBe(1)
  const wrong = await project.run('verify', '--fail-on', 'no')
  expect(wrong).toMatchObject({ code: 2, problems: expect.stringContaining('invalid, kept') })
})
