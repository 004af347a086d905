// Requests that go through a proxy, which hides from whoever looks at sockets where they go.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import * as undici from 'undici'

test('the proxy of the environment', async () => {
  const answer = await fetch(`${process.env.ENDPOINT}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(await answer.text()).toContain('You said: Hello')
})

test('a proxy of the client alone', async () => {
  const dispatcher = new undici.ProxyAgent(process.env.HTTP_PROXY!)
  await undici.fetch('https://api.openai.com/v1/models', { dispatcher }).catch(() => {})
})

test('the proxy of the environment, in a child process', () => {
  const program = `fetch('https://api.openai.com/v1/models').catch(() => {})`
  execFileSync(process.execPath, ['-e', program], { stdio: 'ignore' })
})
