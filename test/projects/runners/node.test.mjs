import assert from 'node:assert/strict'
import nodeTest, { before, describe } from 'node:test'
import { test } from 'vitest-cassette/node-test'
import { ask, summarize } from './app.mjs'

before(async () => {
  assert.equal(typeof (await ask('before all')), 'string')
})

test('asks', async () => {
  assert.equal(typeof (await ask('one')), 'string')
})

test('has a fallback', async () => {
  assert.equal(typeof (await summarize('a report')), 'string')
})

describe('a suite', { concurrency: true }, () => {
  for (const number of [1, 2, 3])
    test(`concurrent ${number}`, async (t) => {
      await ask('the same of all')
      await t.test('a subtest', () => ask(`of ${number} alone`))
    })
})

test('is not done yet', { todo: true }, async () => {
  await summarize('a draft')
})

test('calls back', (t, done) => {
  ask('with a callback').then(() => done(), done)
})

test('asks nothing', () => {})

test('is left out', { skip: true }, () => ask('never'))

nodeTest('is of the runner alone', () => {})
