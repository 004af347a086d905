import { expect, test } from 'vitest'
import { PROVIDERS } from '../../src/providers/catalogue.ts'
import { LIKE_A_KEY } from '../../src/runners/lend-keys.ts'

test('the name of every key that can be lent looks like one, so that the names of all providers load for it', () => {
  const accounts = Object.values(PROVIDERS).flatMap(
    ({ keys = [], accounts = [{ lend: keys }] }) => accounts,
  )
  const names = accounts.flatMap(({ lend }) => lend)
  expect(names).toContain('OPENAI_API_KEY')
  expect(names.filter((name) => !LIKE_A_KEY.test(name))).toEqual([])
  expect(['PATH', 'HOME', 'NODE_ENV', 'VITEST'].filter((name) => LIKE_A_KEY.test(name))).toEqual([])
})
