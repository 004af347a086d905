import { expect, test } from 'bun:test'
import { summarize } from './named.mjs'

test('has a fallback', async () => {
  expect(await summarize('a report')).toMatch(/\w/)
})

test.concurrent('has another', async () => {
  expect(await summarize('a letter', Bun.fetch)).toMatch(/\w/)
})
