import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../../upstream/start-upstream.ts'
import { VitestProject, type Run } from '../vitest-project.ts'

const KEY = `sk-${'proj'}-Zq81mVx0Yt3LwPk7`
const PASSWORD = 'hunter2"and\\more'

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
  }
  recording = await project.record([], env)
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('the application gets the real answer, and git what may be read', () => {
  expect(recording.output).toContain('1 failed | 7 passed')
  const stored = project.files().map((file) => project.read(`__recordings__/${file}`))
  expect(stored).toHaveLength(7)
  for (const text of stored) {
    expect(text).not.toContain(KEY)
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('q8Zr2LmT0v')
    expect(text).not.toContain('ticket 77')
  }
  expect(stored.join('')).toContain('You said: Use <REDACTED:ACME_PASSWORD>.')
  expect(stored.join('')).toContain('What of <REDACTED:RULE_1>?')
})

test('what still looks like a credential is not saved, and parked for its owner', () => {
  expect(recording.output).toContain(
    'The recording seems to hold a credential, so it is not saved: groq at /exchanges/0/prompt/text',
  )
  expect(recording.output).toMatch(/found +\/exchanges\/0\/prompt\/text: gsk_aB… \(56 characters\)/)
  expect(recording.output).toContain('revoke it')
  expect(recording.output).toMatch(/❯ (?:ask ask\.ts:8|refused\.test\.ts:5)/)
  expect(recording.output).not.toContain('aB3aB3')
  const [, parked] = /The recording is kept in (\S+\.json)/.exec(recording.output)!
  expect(readFileSync(join(project.dir, parked!), 'utf8')).toContain('aB3aB3')
})

test('an address of someone is named, once and masked', () => {
  const warnings = recording.output.match(/holds e-mail addresses: .*/g)
  expect(warnings).toEqual([expect.stringContaining('addresses: a…@acme.io. If')])
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
  expect(run.output).toContain('<REDACTED:ACME_PASSWORD>')
  expect(run.output).toContain(
    'Not set here, though the recorded prompt held its value: ACME_PASSWORD',
  )
})
