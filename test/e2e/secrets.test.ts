import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGolden } from '../golden.ts'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { failureIn, VitestProject, type Run } from './vitest-project.ts'

const KEY = `sk-${'proj'}-Zq81mVx0Yt3LwPk7`
const CLI = '../node_modules/.bin/vitest-cassette'
const PASSWORD = 'Hx7"Kq9\\mZ2vRt4LwPn8'

let upstream: Upstream
let project: VitestProject
let recording: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('secrets', { ENDPOINT: upstream.url, HOME: '/nonexistent' })
  const env = {
    OPENAI_API_KEY: KEY,
    ACME_PASSWORD: PASSWORD,
    TICKET: '77',
    MODEL_KEY: 'gpt-4o-mini',
    TENANT_API_KEY: 'acme-corporation',
  }
  recording = await project.record([], env)
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('the application gets the real answer, and git what may be read', () => {
  expect(recording.output).toContain('4 failed | 9 passed')
  const stored = project.files().map((file) => project.read(`__recordings__/${file}`))
  expect(stored).toHaveLength(9)
  for (const text of stored) {
    expect(text).not.toContain(KEY)
    expect(text).not.toContain('mZ2vRt4')
    expect(text).not.toContain('q8Zr2LmT0v')
    expect(text).not.toContain('ticket 77')
  }
  expect(stored.join('')).toContain('You said: Use <REDACTED:ACME_PASSWORD>.')
  expect(stored.join('')).toContain('What of <REDACTED:rule.1>?')
})

test('what still looks like a credential is not saved, and parked for its owner', async () => {
  await expectGolden(textOf(recording, 'refused.test.ts > a key that was pasted\n'), 'refused')
  expect(recording.output).toMatch(/❯ (?:ask ask\.ts:8|refused\.test\.ts:5)/)
  expect(recording.output).not.toContain(`gsk_${'aB3'.repeat(17)}c`)
  const [parked] = /\S+\/parked\/\S+\.json/.exec(recording.output)!
  expect(project.read(parked)).toContain('aB3aB3')
})

test('a test whose title holds a credential asks nothing, and leaves no trace of it', async () => {
  const titles = recording.output.match(/(?<= FAIL {2})refused.*a key in a title.*/g)!
  const failures = titles.map((title) => textOf(recording, title))
  await expectGolden(failures.join('\n'), 'titles')
  const cache = join(project.dir, 'node_modules/.cache/vitest-cassette')
  const kept = readdirSync(cache, { recursive: true, encoding: 'utf8' })
  expect(kept.filter((file) => /zq81mvx0|a-key-in-a-title/i.test(file))).toEqual([])
})

test('a prompt with a credential that can be guessed is not recorded, with two ways out', async () => {
  await expectGolden(
    textOf(recording, 'refused.test.ts > the name of a tenant, sent as its key\n'),
    'guessable',
  )
})

test('an address of someone is named, once and masked', async () => {
  const warnings = recording.output.match(/.*@acme\.io.*/g)!
  await expectGolden(warnings.join('\n'), 'addresses')
})

test.for([
  [
    'with other credentials',
    { OPENAI_API_KEY: `${KEY}-other`, ACME_PASSWORD: 'quite-an0ther-password' },
  ],
  ['with ones that are words', { OPENAI_API_KEY: 'test', ACME_PASSWORD: 'use' }],
  ['with a key that is lent', { ACME_PASSWORD: PASSWORD }],
])('the recording is replayed %s', async ([, env]) => {
  const run = await project.run(['replaced'], { ...(env as object), TICKET: '78' })
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('7 passed')
})

test('a variable that is called like a key and holds words takes no change with it', async () => {
  const run = await project.run(['replaced', '-t', 'variable names'], { MODEL_KEY: 'gpt-4.1-nano' })
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(/gpt-4.*o-mini/)
})

test('where a variable of a prompt is not set, the diff names it', async () => {
  const run = await project.run(['replaced', '-t', 'in pieces'])
  expect(run.exitCode).toBe(1)
  await expectGolden(
    textOf(run, 'replaced.test.ts > a password that an answer says in pieces\n'),
    'not-set',
    {
      [upstream.url]: '<upstream>',
    },
  )
})

test('what an application says of its keys is in no file of ours', async () => {
  const run = await project.run(['quotes'])
  expect(run.output).toContain('Incorrect API key provided')
  const statistics = project.read('node_modules/.cache/vitest-cassette/statistics.json')
  expect(statistics).toContain('Incorrect API key provided: <REDACTED:groq>. Why?')
  expect(statistics).toContain('Incorrect API key provided: <REDACTED:SHOP_PASSWORD>. Why?')
  // As an earlier release wrote it.
  const older = statistics.replace('<REDACTED:groq>', `gsk_${'aB3'.repeat(17)}e`)
  project.write('node_modules/.cache/vitest-cassette/statistics.json', older)
  const listed = await project.shell(`${CLI} show --json && ${CLI} show --html`)
  expect(listed.output).toContain('Incorrect API key provided: <REDACTED:groq>')
  const pages = ['cassette-report', 'run-report'].flatMap((folder) =>
    readdirSync(join(project.dir, folder, 'data')).map((file) =>
      project.read(`${folder}/data/${file}`),
    ),
  )
  expect(pages.join('')).toContain('REDACTED:SHOP_PASSWORD')
  expect(listed.output + pages.join('')).not.toMatch(/aB3aB3|zK4qLm8vT1yRw0/)
})

/** What a run prints for a failed test, without the address of its report. */
function textOf(run: Run, title: string): string {
  return failureIn(run, title)
    .replace(/\n {2}report {2}.*\n/, '')
    .trim()
}
