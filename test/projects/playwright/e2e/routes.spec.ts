import type { Page } from '@playwright/test'
import { expect, test } from 'vitest-cassette/playwright'

/** A page asks the provider itself. */
function ask(page: Page, question: string): Promise<string> {
  return page.evaluate(
    async ([url, content]) => {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-of-a-page', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
      })
      return (await response.json()).choices[0].message.content
    },
    [process.env.OPENAI_BASE_URL, question],
  )
}

test.afterEach(({ cassette }) => expect(cassette.exchanges).toHaveLength(1))

test('lets all requests of a page continue', async ({ page }) => {
  await page.goto('/')
  await page.route('**/*', (route) =>
    route.request().resourceType() === 'image' ? route.abort() : route.continue(),
  )
  expect(await ask(page, 'By a route')).toBe('You said: By a route')
})

test('lets all requests of a context continue', async ({ page, context }) => {
  await page.goto('/')
  await context.route('**/*', (route) => route.continue())
  expect(await ask(page, 'By a route of the context')).toBe('You said: By a route of the context')
})

test('takes all routes away', async ({ page, context }) => {
  await page.goto('/')
  const handler = () => Promise.reject(new Error('It was taken away.'))
  await page.route('**/chat/completions', handler)
  await page.unroute('**/chat/completions', handler)
  await context.unrouteAll()
  expect(await ask(page, 'Without routes')).toBe('You said: Without routes')
})

test('opens a context of its own', async ({ browser, baseURL }) => {
  const page = await browser.newPage()
  await page.goto(baseURL!)
  expect(await ask(page, 'In another context')).toBe('You said: In another context')
  await page.close()
})

test('answers in the place of a provider', async ({ page, cassette }) => {
  await page.goto('/')
  await page.route('**/chat/completions', (route) =>
    route.fulfill({ json: { choices: [{ message: { content: 'Mocked' } }] } }),
  )
  expect(await ask(page, 'Of a mock')).toBe('Mocked')
  await page.unrouteAll()
  expect(cassette.exchanges).toHaveLength(0)
  expect(await ask(page, 'No mock')).toBe('You said: No mock')
})
