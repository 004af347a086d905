import { test } from 'vitest'
import { ask } from '../ask.ts'

// Recorded again and again, with an answer that differs every time and takes a while to write.
test('records much', async () => {
  for (let time = 0; time < 20; time++) await ask(`numbered ${time} ${'much '.repeat(20_000)}`)
})
