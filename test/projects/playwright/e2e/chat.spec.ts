import { expect, test } from 'vitest-cassette/playwright'

for (const name of ['Ada', 'Bob'])
  test(`greets ${name}`, async ({ page }) => {
    await page.goto('/')
    await page.getByLabel('Question').fill(`I am ${name}`)
    await page.getByRole('button').click()
    await expect(page.getByRole('log')).toHaveText(`You said: I am ${name}`)
  })

test('asks a model from the page', async ({ page, cassette }) => {
  await page.goto('/')
  const said = await page.evaluate(async (url) => {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-of-a-page', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-5',
        messages: [{ role: 'user', content: 'From a page' }],
      }),
    })
    return (await response.json()).choices[0].message.content
  }, process.env.OPENAI_BASE_URL)
  expect(said).toBe('You said: From a page')
  expect(cassette.exchanges).toHaveLength(1)
})

test.describe('with headers of its own', () => {
  test.use({ extraHTTPHeaders: { 'accept-language': 'de' } })
  test('is known to its server by a cookie', async ({ page, context }) => {
    await page.goto('/')
    await page.getByLabel('Question').fill('Which headers?')
    await page.getByRole('button').click()
    await expect(page.getByRole('log')).toHaveText('You said: Which headers?')
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await context.cookies()).toHaveLength(1)
  })
})

test('talks with its server over a socket', async ({ page, baseURL }) => {
  await page.goto('/')
  const said = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url)
        socket.onopen = () => socket.send('Over a socket')
        socket.onmessage = ({ data }) => resolve(data)
      }),
    baseURL!.replace('http', 'ws'),
  )
  expect(said).toBe('You said: Over a socket')
})

test('shows a page and asks nothing', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Chat')
  if (process.env.BY_SOCKET)
    await page.evaluate(
      (url) => new Promise((resolve) => (new WebSocket(url).onclose = resolve)),
      process.env.BY_SOCKET,
    )
  if (process.env.IN_WORKER)
    await page.evaluate((url) => {
      const opens = `try { new WebSocket('${url}') } catch { } postMessage('done')`
      const worker = new Worker(URL.createObjectURL(new Blob([opens])))
      return new Promise((resolve) => (worker.onmessage = resolve))
    }, process.env.IN_WORKER)
})
