import type { Page } from '@playwright/test'
import { expect, test } from 'vitest-cassette/playwright'

test.describe.configure({ mode: 'serial' })

let page: Page
let seed = ''

const ask = async (question: string): Promise<string> => {
  await page.goto('/')
  await page.getByLabel('Question').fill(question)
  await page.getByRole('button').click()
  await expect(page.getByRole('log')).toHaveText(/./)
  return page.getByRole('log').innerText()
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
  expect(await ask('First')).toBe('You said: First')
  expect(cassette.exchanges).toHaveLength(1)
})

test('goes on with it again', async ({ cassette }) => {
  expect(seed).toBe('You said: Seed')
  expect(await ask(process.env.SECOND ?? 'Second')).toContain('You said: ')
  expect(cassette.exchanges).toHaveLength(1)
})
