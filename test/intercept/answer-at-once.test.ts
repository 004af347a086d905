import { expect, test } from 'vitest'
import { resolveConfig } from '../../src/config/resolved-config.ts'
import { answerAtOnce } from '../../src/intercept/answer-at-once.ts'
import { TestScope } from '../../src/intercept/scope.ts'
import { openExample, question, recorded } from '../engine/example-session.ts'

const cassette = recorded([question('a'), 'one'])
const asked = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'a' }] })

/** What comes of a text that is posted, and whether the cassette was opened for it. */
async function post(url: string, text: string, redact: RegExp[] = []) {
  let isOpened = false
  const config = resolveConfig({ redact }, { ci: false, recordInCi: false })
  const scope = new TestScope(config, () => {
    isOpened = true
    return openExample(cassette, { redact })
  })
  const response = answerAtOnce({ url, headers: new Headers(), text }, scope)
  return { answer: await response?.json(), isOpened }
}

test('what is recorded as it stands is answered', async () => {
  const { answer } = await post('https://api.openai.com/v1/chat/completions', asked)
  expect(answer.choices[0].message.content).toBe('one')
})

test.each([
  ['another prompt', 'https://api.openai.com/v1/chat/completions', asked.replace('"a"', '"b"')],
  ['what is nested too deeply', 'https://api.openai.com/v1/chat/completions', '['.repeat(9_999)],
])('%s is left to the whole way', async (_, url, text) => {
  expect((await post(url, text)).answer).toBeUndefined()
})

test('where the user has rules for what is secret, all is left to the whole way', async () => {
  const url = 'https://api.openai.com/v1/chat/completions'
  expect((await post(url, asked, [/a/])).answer).toBeUndefined()
})

test("no cassette is opened for what an application posts to its own server at a provider's path", async () => {
  const own = await post('http://localhost:3000/api/chat', '{"text":"Hello"}')
  expect(own).toEqual({ answer: undefined, isOpened: false })
  expect((await post('http://localhost:3000/v1/chat/completions', asked)).isOpened).toBe(true)
})
