import { expect, test } from 'vitest-cassette/playwright'

test('a customer asks for an order, and is handed over', async ({ page, cassette }) => {
  await page.goto('/')
  await page.getByLabel('Question').fill('Where is my order 7?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect(page.getByRole('log')).toContainText('arrives on 3 May')

  await page.getByRole('button', { name: 'Hand over' }).click()
  await expect(page.getByRole('status')).toContainText('order 7')
  expect(cassette.exchanges.map(({ prompt }) => prompt.model)).toEqual([
    'gpt-5-mini',
    'gpt-5-mini',
    'claude-haiku-4-5',
  ])
})

test('a customer asks for another order', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Question').fill('Where is my order 8?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect(page.getByRole('log')).toContainText('waits for your payment')
})
