import { execFile, execSync, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** An application that goes on without the answer of its agent. */
const forgiving = (...words: string[]): Promise<unknown> =>
  promisify(execFile)('python3', ['agent.py', ...words]).catch(() => 'no answer')

const ask = (content: string): Promise<Response> =>
  fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
  })

test('a part', async () => {
  await forgiving('plan')
  expect((await ask('Hello')).ok).toBe(true)
})

test('all', () => forgiving('whole'))

test('another prompt', async () => {
  await forgiving('other')
  await ask(process.env.CRASH ? 'Hallo' : 'Hello').catch(() => {})
})

test('nothing recorded', () => promisify(execFile)('sh', ['-c', 'exit 5']).catch(() => 'fine'))

const crash = process.env.CRASH

// What is asked here does not depend on them: an application does without their answers.
test.each([
  ['spawnSync', () => spawnSync('sh', ['-c', crash ? 'exit 4' : 'true'])],
  ['execSync', () => execSync(crash ? 'exit 6' : 'true')],
  ['a missing program', () => promisify(execFile)(crash ? 'no-such-agent' : 'true', ['plan'])],
  ['a missing program by spawnSync', () => spawnSync(crash ? 'no-such-agent' : 'true', ['all'])],
])('%s', async (name, run) => {
  try {
    await run()
  } catch {
    // Goes on without it.
  }
  for (const time of crash ? [1] : [1, 2]) expect((await ask(`${name} ${time}`)).ok).toBe(true)
})
