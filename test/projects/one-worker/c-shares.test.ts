import { afterAll, beforeAll, expect, test } from 'vitest'
import { askByLoop } from './shared.ts'

beforeAll(async () => void (await askByLoop('first of c')))
afterAll(async () => void (await askByLoop('last of c')))

test('c asks', async () => {
  expect(await askByLoop('test of c')).toBe('Odd: test of c')
})
