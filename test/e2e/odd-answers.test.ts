import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VitestProject } from './vitest-project.ts'

type Answer = (response: ServerResponse, isStream: boolean) => void

const JSON_TYPE = { 'content-type': 'application/json' }

const chunk = (content: string, finish_reason: string | null): string =>
  `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`

const good: Answer = (response, isStream) => {
  if (isStream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('Half. ', null))
    return void setTimeout(() => response.end(`${chunk('Whole.', 'stop')}data: [DONE]\n\n`), 20)
  }
  const message = { role: 'assistant', content: 'A good answer.' }
  response
    .writeHead(200, JSON_TYPE)
    .end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
}

const failing =
  (status: number, message: string): Answer =>
  (response) =>
    void response.writeHead(status, JSON_TYPE).end(JSON.stringify({ error: { message } }))

const page =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Sign in</html>')

/** A gateway that ends a stream before its end, and one that goes away. */
const halved =
  (isEnded: boolean): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk('Half', null))
    setTimeout(() => (isEnded ? response.end() : response.destroy()), 30)
  }

let answer: Answer = good
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => (body += piece))
  request.on('end', () => answer(response, body.includes('"stream":true')))
})
let env: { UPSTREAM_URL: string }
let recorded: VitestProject

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  env = { UPSTREAM_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  recorded = new VitestProject('odd-answers', env)
  const recording = await recorded.record(['swallows'])
  expect(recording.exitCode, recording.output).toBe(0)
  expect(recording.output).not.toContain('Look at')
})

afterAll(() => void server.close())

test.each<[what: string, title: string, Answer, said: string]>([
  ['a model that is not there', 'asks', failing(404, 'No model gpt-5'), 'answered 404'],
  ['a bad request', 'asks', failing(400, 'Bad'), 'answered 400'],
  ['an empty account', 'asks', failing(402, 'No credit'), 'answered 402'],
  ['parameters that are refused', 'streams', failing(422, 'Bad'), 'answered 422'],
  ['a wrong base URL', 'asks', page(404), 'answered 404'],
  ['a login page', 'asks', page(200), 'answered with text/html'],
  ['a login page, to a stream', 'streams', page(200), 'answered with text/html'],
  [
    'another API',
    'asks',
    (response) => void response.writeHead(200, JSON_TYPE).end('{"ok":1}'),
    'answered with application/json',
  ],
  ['a stream that ends early', 'streams', halved(true), 'stopped in the middle'],
  ['a stream that breaks', 'streams', halved(false), 'stopped in the middle'],
])('no good answer is replaced by that of %s', async (_, title, odd, said) => {
  const before = recorded.contents()
  answer = odd
  const run = await recorded.record(['swallows', '-t', `^${title}$`], { MODEL: 'gpt-5-mni' })
  expect(run.exitCode, run.output).toBe(1)
  expect(run.output).toContain(`The provider ${said}`)
  expect(run.output).not.toContain('vitest-cassette recover')
  expect(recorded.contents()).toEqual(before)
})

test('a project that means it says so, and records it again as it is', async () => {
  const project = new VitestProject(recorded.dir, env)
  answer = failing(404, 'No model gpt-5')
  const refused = await project.record(['swallows', '-t', '^asks$'])
  expect(refused.output).toContain('which is not saved in the place of a good answer')
  const OPTIONS = '{"recordErrors":true}'
  const meant = await project.record(['swallows', '-t', '^asks$'], { OPTIONS })
  expect(meant.exitCode, meant.output).toBe(0)
  expect(meant.output).not.toContain('Look at')
  const again = await project.record(['swallows', '-t', '^asks$'])
  expect(again.exitCode, again.output).toBe(0)
  expect(again.output).not.toContain('Look at')
})

test('what is odd in a first recording is named and saved', async () => {
  const project = new VitestProject('odd-answers', env)
  answer = (response, isStream) =>
    isStream ? halved(true)(response, true) : failing(404, 'No model gpt-5')(response, false)
  const run = await project.record(['swallows', '-t', 'asks|streams'])
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toMatch(
    /Look at {2}1 recorded answer is an error: 404 No model gpt-5\n +swallows\.test\.ts > asks\n/,
  )
  expect(run.output).toMatch(
    / {9}1 recorded answer stops before its end\n +swallows\.test\.ts > streams\n/,
  )
  answer = good
  expect((await project.record(['swallows', '-t', 'aborts'])).exitCode).toBe(0)
  const replay = await project.run(['swallows'])
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).not.toContain('Look at')

  const { exitCode, output } = await project.cli('verify')
  expect(exitCode, output).toBe(0)
  expect(output).toMatch(/streams-.*\.json.* broken-answers /)
  expect(output).not.toMatch(/aborts-|asks-/)
})

test('an error that stands beside good answers is saved and named', async () => {
  const project = new VitestProject(recorded.dir, env)
  project.edit(
    'swallows.test.ts',
    "answer('What fails?')).toBeTruthy()",
    "answer('What fails?')).toBeTruthy()\n  await answer('Too long')",
  )
  let asked = 0
  answer = (response, isStream) =>
    asked++ === 0 ? good(response, isStream) : failing(400, 'Too long')(response, isStream)
  const run = await project.record(['swallows', '-t', '^asks$'])
  expect(run.exitCode, run.output).toBe(0)
  expect(run.output).toContain('1 recorded answer is an error: 400 Too long')
})

test('the failure of a test that got an odd answer names it', async () => {
  const project = new VitestProject('odd-answers', env)
  answer = page(404)
  const run = await project.record(['asserts'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toContain('The provider answered 404')
  expect(run.output).toContain(`POST ${env.UPSTREAM_URL}/v1/chat/completions`)
  expect(run.output).toContain('<html>Sign in</html>')
})

test('the failure of a test that was answered says where its paid answer is', async () => {
  const project = new VitestProject('odd-answers', env)
  answer = good
  const run = await project.record(['asserts'])
  expect(run.exitCode).toBe(1)
  expect(run.output).toMatch(
    / Parked {2}the answers of 1 failed test are kept, and in no cassette\n +To use them anyway: npx vitest-cassette recover\n/,
  )
})
