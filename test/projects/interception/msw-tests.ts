import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { answerTo, ask, bodyOf } from './ask.ts'
import { modelCalls, server } from './server.ts'

async function price(): Promise<unknown> {
  return (await fetch('https://shop.example.com/price')).json()
}

test("the user's own server listens", async () => {
  expect(await price()).toEqual({ price: 7 })
  expect(await ask('While it listens?')).toEqual(answerTo('While it listens?'))
})

test("the user's own server is reset, closed and listens again", async () => {
  server.resetHandlers()
  expect(await ask('After a reset?')).toEqual(answerTo('After a reset?'))
  server.close()
  expect(await ask('After a close?')).toEqual(answerTo('After a close?'))
  server.listen({ onUnhandledFrame: 'bypass' })
  expect(await price()).toEqual({ price: 7 })
  expect(await ask('After a new start?')).toEqual(answerTo('After a new start?'))
})

test("the user's own server treats other requests as errors", async () => {
  server.close()
  server.listen({ onUnhandledFrame: 'error' })
  server.use(modelCalls)
  expect(await price()).toEqual({ price: 7 })
  expect(await ask('With errors?')).toEqual(answerTo('With errors?'))
})

test("the user's own server answers for a provider that the options leave to it", async () => {
  const url = 'https://api.groq.com/openai/v1/chat/completions'
  server.use(http.post(url, () => HttpResponse.json({ by: 'the user' })))
  const response = await fetch(url, { method: 'POST', body: bodyOf('Who answers?') })
  expect(await response.json()).toEqual({ by: 'the user' })
})

test.runIf(process.env.RECORD === '1')('the user has not let model calls pass', async () => {
  server.close()
  server.listen({ onUnhandledFrame: 'error' })
  await ask('Not let through?').catch(() => {})
})
