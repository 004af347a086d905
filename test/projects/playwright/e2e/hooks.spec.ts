import type { Locator, Page } from '@playwright/test'
import { expect, test } from 'vitest-cassette/playwright'

test.describe.configure({ mode: 'serial' })

let page: Page
let seed = ''

/** Asks, and returns the place where the answer appears, piece by piece. */
const ask = async (question: string): Promise<Locator> => {
  await page.goto('/')
  await page.getByLabel('Question').fill(question)
  await page.getByRole('button').click()
  return page.getByRole('log')
}

test.beforeAll(async ({ browser, playwright, baseURL }) => {
  const request = await playwright.request.newContext()
  const response = await request.get(`${baseURL}/ask?q=${process.env.SEED ?? 'Seed'}`)
  seed = await response.text()
  await request.dispose()
  page = await browser.newPage()
})

test.afterAll(() => page.close())

test('goes on with a page of beforeAll', async ({ cassette }) => {
  await expect(await ask('First')).toHaveText('You said: First')
  expect(cassette.exchanges).toHaveLength(1)
})

test('goes on with it again', async ({ cassette }) => {
  expect(seed).toBe('You said: Seed')
  await expect(await ask(process.env.SECOND ?? 'Second')).toContainText('You said: ')
  expect(cassette.exchanges).toHaveLength(1)
})
