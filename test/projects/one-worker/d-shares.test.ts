import { afterAll, beforeAll, expect, test } from 'vitest'
import { askByLoop } from './shared.ts'

beforeAll(async () => void (await askByLoop('first of d')))
afterAll(async () => void (await askByLoop('last of d')))

test('d asks', async () => {
  expect(await askByLoop('test of d')).toBe('Odd: test of d')
})
