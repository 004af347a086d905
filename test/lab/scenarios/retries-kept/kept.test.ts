import { describe, expect, test } from 'vitest'
import { useCassette } from 'vitest-cassette'
import { ask } from '../retries/ask.ts'

const { KEEP, HEALTHY } = process.env

describe('an error that a retry overcame', () => {
  useCassette({ recordErrors: KEEP === '1' })

  test('is kept', async () => {
    expect(await ask('status 429 once, and kept', 1)).toBe('Odd: status 429 once, and kept')
  })
})

describe.for([401, 403, 429, 500, 503, 404])('an error %i', (status) => {
  useCassette({ recordErrors: true })

  test(`${status} from the first recording`, async () => {
    await expect(ask(`status ${status}, kept`)).rejects.toThrow(`${status}`)
  })

  test(`${status} in the place of a good answer`, async () => {
    const asked = ask(HEALTHY ? `well ${status}` : `status ${status}`)
    await (HEALTHY ? asked : expect(asked).rejects.toThrow(`${status}`))
  })
})
