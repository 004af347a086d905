import { expect, test } from '@jest/globals'
import { ask, summarize } from './app.mjs'

test('asks from a module', async () => {
  expect(typeof (await ask('one'))).toBe('string')
})

test('has a fallback', async () => {
  expect(typeof (await summarize('a report'))).toBe('string')
})
