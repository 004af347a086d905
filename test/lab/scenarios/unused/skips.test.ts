import { describe, test } from 'vitest'
import { ask } from '../ask.ts'

const { SKIPS } = process.env

test.skipIf(SKIPS)('is skipped', async () => {
  await ask('Is it open?')
})

test('skips itself', async ({ skip }) => {
  await ask('Is it late?')
  if (SKIPS) skip()
  await ask('Is it far?')
})

describe.skipIf(SKIPS)('a skipped suite', () => {
  test('is skipped too', async () => {
    await ask('Is it near?')
  })
})

test('asks as ever', async () => {
  await ask('Is it free?')
})
