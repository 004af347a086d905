import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { ask } from '../ask.ts'

const waitIn = (place: string): Promise<void> | undefined =>
  (process.env.WAIT ?? 'hook') === place ? delay(700) : undefined

beforeAll(async () => {
  await ask('hook of b')
  await waitIn('hook')
})

test('asks next', async () => {
  await waitIn('test')
  expect(await ask('test of b')).toBe('Odd: test of b')
})
