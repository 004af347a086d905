import { test } from 'vitest'
import { ask } from '../../../ask.ts'

test('is in a package', async () => {
  await ask('In a package?')
})

test('is in a package no more', async () => {
  await ask('No more?')
})
