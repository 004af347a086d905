import { expect, test } from 'vitest'
import { replayAtOnce } from '../../../src/engine/replay-at-once.ts'
import { Verbatim } from '../../../src/engine/verbatim.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { answerAtOnce } from '../../../src/intercept/answer/answer-at-once.ts'
import { isLlmCall } from '../../../src/intercept/call/is-llm-call.ts'
import type { Later } from '../../../src/intercept/answer/later.ts'
import { TestScope } from '../../../src/intercept/context/scope.ts'
import { openExample, question, recorded } from '../../engine/example-session.ts'

const cassette = recorded([question('a'), 'one'])
const asked = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'a' }] })

/** What comes of a text that is posted, and whether a session was opened for it. */
async function post(url: string, text: string, redact: RegExp[] = [], verbatim?: Verbatim) {
  let isOpened = false
  const config = resolveConfig({ redact }, { ci: false, recordInCi: false })
  const scope = new TestScope(config, {
    verbatim: () => verbatim,
    session() {
      isOpened = true
      return openExample(cassette, { redact })
    },
  })
  const later = { engine: () => ({ isLlmCall, replayAtOnce }) } as unknown as Later
  const response = answerAtOnce(
    { method: 'POST', url, headers: new Headers(), body: text },
    scope,
    later,
  )
  return { answer: await response?.json(), isOpened }
}

test('what is recorded as it stands is answered', async () => {
  const { answer } = await post('https://api.openai.com/v1/chat/completions', asked)
  expect(answer.choices[0].message.content).toBe('one')
})

test('no session is opened for what is asked word for word', async () => {
  const url = 'https://api.openai.com/v1/chat/completions'
  const verbatim = await post(url, asked, [], new Verbatim(cassette))
  expect(verbatim.answer.choices[0].message.content).toBe('one')
  expect(verbatim.isOpened).toBe(false)
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
